import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';

/** Kinds of transfers that leave a wallet and may come back, and those that come in. */
const SPENT = ['order', 'task', 'labor', 'withdrawal'].map((kind) => `${kind}.hold`);
const CHARGED = ['proxy', 'email', 'token'].map((kind) => `${kind}.charge`);
const BACK = ['order', 'task', 'labor', 'withdrawal', 'proxy', 'token'].map(
  (kind) => `${kind}.refund`,
);
const EARNED = ['order', 'task', 'labor'].map((kind) => `${kind}.release`);

/** Sellers have little else to do. */
const READ_ONE_IN = 4;

/** Agents read what they spent and earned; in the end it is what the ledger has, by its kinds. */
const reportsOf = (by: Domain['by'], operation: 'spend_report' | 'sales_report'): Domain => ({
  by,
  open({ agent, client, random, wrong }) {
    async function read() {
      const answer = await client({ agent, operation, input: {}, repeatable: true });
      const { total, by_day: days } = answer!.body as Report;
      const sum = days.reduce((micros, { amount }) => micros + microsOf(amount), 0);
      if (microsOf(total) !== sum) wrong(`${operation} has ${total} and days of ${sum}`);
      return microsOf(total);
    }
    return {
      steps: [
        { weight: 1, run: async () => void (random.below(READ_ONE_IN) === 0 && (await read())) },
      ],
      async compare({ database, same }) {
        const isSpend = operation === 'spend_report';
        const [{ micros }] = await database.query(
          `select coalesce(sum(case when kind = any ($2) and from_account = 'treasury'
                                    then credit + cash
                                    when kind = any ($3) and to_account = 'treasury'
                                    then (credit + cash) * $4 else 0 end), 0)::bigint as micros
             from ledger.transfer
            where (from_account = 'treasury' and from_id = $1)
               or (to_account = 'treasury' and to_id = $1)`,
          isSpend ? [agent.id, [...SPENT, ...CHARGED], BACK, -1] : [agent.id, [], EARNED, 1],
        );
        same('reports', `${operation} of agent ${agent.id}`, {
          found: Number(micros),
          told: await read(),
        });
      },
    };
  },
});

interface Report {
  readonly total: number;
  readonly by_day: readonly { readonly amount: number }[];
}

export const spendReports = reportsOf('buyers', 'spend_report');
export const salesReports = reportsOf('sellers', 'sales_report');
