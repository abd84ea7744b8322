import type { Micros } from '../../kernel/money.ts';
import { field, view } from '../../kernel/view.ts';
import { rows, type Database } from '../../platform/rows.ts';

export const ClosedTreasury = view({
  agent_id: field.id('The agent that had the account.'),
  cash: field.amount('Cash in its wallet.'),
  closed_at: field.time('Closing of the account.'),
});

/** The closed accounts that hold this much cash or more, the most first. */
export function findClosedTreasuries(
  db: Database,
  { cashMin, max }: { readonly cashMin: Micros; readonly max: number },
) {
  return rows(
    db,
    ClosedTreasury.columns,
    `select agent.id as agent_id, held.cash, closed_at
       from agent join ledger.treasury held on held.id = agent.id
      where closed_at is not null and held.cash >= $1
      order by held.cash desc, agent.id limit $2`,
    [cashMin, max],
  );
}
