import { OPERATOR } from '../../calls/call.ts';
import type { Domain } from '../domain.ts';

/** The ids of jobs that a drill has made old: until they are forgotten, nothing has these ids. */
const MADE_OLD = '0190';

interface Difference {
  readonly row: { readonly job?: string };
}

/**
 * When nothing is in flight any more, an operator has the books proven. Not before: an audit whose
 * worker is killed begins again when its time is over, which is longer than a drill waits.
 */
export const audits: Domain = {
  by: 'sellers',
  open(trader) {
    const { client, wrong } = trader;
    trader.expectLast('run_audit', async () => {
      const call = { agent: OPERATOR, operation: 'run_audit', input: {}, repeatable: true };
      const { status, body, text } = (await client(call))!;
      if (status !== 200) return wrong(`an audit was answered ${text}`);
      const found = (body.differences as Difference[]).filter(
        ({ row }) => !row.job?.startsWith(MADE_OLD),
      );
      if (found.length > 0) wrong(`the audit found ${JSON.stringify(found)}`);
    });
    return { steps: [], compare: async () => undefined };
  },
};
