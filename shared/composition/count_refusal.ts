import { CODES, type RefusalCode } from '../kernel/refusal.ts';
import { counter } from '../platform/metrics.ts';

const refusals = counter(
  'market_refusals_total',
  'Refusals by code: of calls in API processes, of jobs in workers. Faults are internal_error.',
  ['code'],
);
// From the first scrape on, so that the first refusal of a code is an increase too.
for (const code of Object.keys(CODES)) refusals.inc({ code }, 0);

/** Counts what a caller was refused, once. A repeat that gets a stored refusal is not counted. */
export const countRefusal = (code: RefusalCode): void => refusals.inc({ code });
