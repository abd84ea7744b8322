import { CODES, type RefusalCode } from '../../kernel/refusal.ts';
import { counter } from '../../platform/metrics.ts';

const refusals = counter(
  'market_refusals_total',
  'Refusals by code: of calls in API processes, of jobs in workers. Faults are internal_error.',
  ['code'],
);
// Every code starts at 0, so that the first refusal of a code shows as an increase.
for (const code of Object.keys(CODES)) refusals.inc({ code }, 0);

/** Counts a refusal once. A repeat that gets the stored refusal is not counted. */
export const countRefusal = (code: RefusalCode): void => refusals.inc({ code });
