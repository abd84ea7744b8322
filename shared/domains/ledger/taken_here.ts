import type { EntityManager } from 'typeorm';

import type { Micros } from '../../kernel/money.ts';
import { column, row } from '../../platform/rows.ts';

/**
 * Performs `work`, and tells how many micro-dollars this transaction has taken by it from the
 * treasury of a tree, less what it has put there. That is no difference of two balances: other
 * calls of the tree change those meanwhile.
 */
export async function takenHere(
  db: EntityManager,
  rootId: number,
  work: () => Promise<void>,
): Promise<Micros> {
  // Ids are not cached, so those of this transaction come after all that it sees now.
  const { last } = await row(
    db,
    { last: column.int },
    'select coalesce(max(id), 0) as last from ledger.transfer',
  );
  await work();
  const { taken } = await row(
    db,
    { taken: column.micros },
    `select coalesce(sum(amount), 0)::bigint as taken
       from (select credit + cash as amount, tx from ledger.transfer
              where from_account = 'treasury' and from_id = $1 and id > $2
             union all
             select -credit - cash, tx from ledger.transfer
              where to_account = 'treasury' and to_id = $1 and id > $2) moved
      where tx = pg_current_xact_id()`,
    [rootId, last],
  );
  return taken;
}
