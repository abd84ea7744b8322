import type { ChainTransfer } from '../chain/deposit_chain.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';

/**
 * Id of what came to an address in a block and no transaction shows, as a contract pays the coin.
 * It has no sender.
 */
export const balanceIdOf = (block: number, address: string): string =>
  `balance:${block}:${address}`;

/** Sender of a payment that only a balance shows. No wallet has this address. */
export const NO_SENDER = 'unknown';

/**
 * The payments among these that were counted as a part of a balance before anybody knew them: of
 * another router, or by nodes that did not tell them. They are not counted once more.
 */
export async function countedInBalances(
  db: Database,
  network: string,
  transfers: readonly ChainTransfer[],
): Promise<ReadonlySet<ChainTransfer>> {
  if (transfers.length === 0) return new Set();
  const found = await rows(db, { number: column.int }, COUNTED_SQL, [
    network,
    transfers.map(({ txId }) => txId),
    transfers.map(({ index }) => index),
    transfers.map(({ asset }) => asset),
    transfers.map(({ position, to }) => balanceIdOf(position, to)),
  ]);
  return new Set(found.map(({ number }) => transfers[number - 1]!));
}

const COUNTED_SQL = `
  select paid.number::int as number
    from unnest($2::text[], $3::int[], $4::text[], $5::text[])
         with ordinality as paid(tx_id, tx_index, asset, balance_id, number)
    join deposit counted on (counted.network, counted.tx_id, counted.tx_index)
                          = ($1, paid.balance_id, 0) and counted.asset = paid.asset
   where paid.tx_id <> paid.balance_id
     and not exists (select from deposit known
                      where (known.network, known.tx_id, known.tx_index)
                            = ($1, paid.tx_id, paid.tx_index))`;
