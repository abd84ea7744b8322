import { randomUUID } from 'node:crypto';

import {
  asset,
  makeTransfers,
  treasury,
  type MoneyTx,
} from '../../shared/domains/ledger/ledger.ts';
import { column, rows } from '../../shared/platform/rows.ts';

/**
 * Cash for root agents, as a rail credits it, without the event of the deposit; so long ago that
 * all of it can be withdrawn.
 */
export async function deposit(
  tx: MoneyTx,
  rootIds: readonly number[],
  micros: bigint,
): Promise<void> {
  const made = await rows(
    tx.db,
    { ref: column.id, root: column.id },
    `insert into deposit (rail, network, tx_id, status, asset, amount, usd, rate_price,
                          rate_source, rate_at, agent_id, root_id, credited_at)
     select 'card', 'test', $3 || id, 'credited', 'USD', $2::bigint, $2::bigint, 1, 'par', now(),
            id, id, now() - interval '30 days'
       from unnest($1::bigint[]) id returning id as ref, root_id as root`,
    [rootIds, micros, randomUUID()],
  );
  await makeTransfers(
    tx,
    made.map(({ ref, root }) => ({
      kind: 'deposit',
      ref,
      from: asset('card'),
      to: treasury(root),
      credit: 0n,
      cash: micros,
    })),
  );
}
