import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, row, type Database } from '../../../platform/rows.ts';
import type { ChainTransfer, ExplainedChange } from '../chain/deposit_chain.ts';
import { CHAINS, type ChainRail } from '../chain/networks.ts';
import { ownWallets, paidToUs } from '../chain/recipients.ts';
import { balanceIdOf, NO_SENDER } from './balance_receipt.ts';
import { FINAL, SHARED_PAGE } from './pages.ts';
import type { PageReading } from './page_reading.ts';

/** Records the balances of a page, unless another job has meanwhile. Answers whether it has. */
export async function movePage(
  db: Database,
  network: string,
  { page, from, to, isBase, held }: PageReading,
): Promise<boolean> {
  const moved = await execute(
    db,
    `update chain_balance_page set block = $4, read_at = now()
      where network = $1 and page = $2 and block is not distinct from $3 returning page`,
    [network, page, from, to],
  );
  if (moved === 0) return false;
  await execute(
    db,
    `update chain_balance set differs = null
      where network = $1 and page = $2 and differs is not null returning page`,
    [network, page],
  );
  if (isBase) {
    await execute(
      db,
      `update chain_balance set base = 0, held = 0, moved = 0, base_block = $3
        where network = $1 and page = $2 returning page`,
      [network, page, to],
    );
  }
  await execute(
    db,
    `insert into chain_balance as known (network, page, asset, address, base_block, base, held)
     select $1, $2, asset, address, $3, base, amount
       from unnest($5::text[], $6::text[], $7::numeric[], $8::numeric[])
            as one(asset, address, base, amount)
     on conflict (network, asset, address) do update
       set held = excluded.held, page = excluded.page,
           base = case when $4 then excluded.base else known.base end
     returning page`,
    [
      network,
      page,
      isBase ? to : from,
      isBase,
      held.map(({ asset }) => asset),
      held.map(({ address }) => address),
      held.map(({ base }) => String(base)),
      held.map(({ amount }) => String(amount)),
    ],
  );
  return true;
}

/** Records balances that nothing explains. The page stays where it was. */
export async function noteDiffering(
  db: Database,
  network: string,
  { page, from, differs }: PageReading,
): Promise<void> {
  const read = await execute(
    db,
    `update chain_balance_page set read_at = now()
      where network = $1 and page = $2 and block is not distinct from $3 returning page`,
    [network, page, from],
  );
  if (read === 0) return;
  await execute(
    db,
    `insert into chain_balance (network, page, asset, address, base_block, base, held, differs)
     select $1, $2, asset, address, $3, 0, 0, amount
       from unnest($4::text[], $5::text[], $6::numeric[]) as one(asset, address, amount)
     on conflict (network, asset, address) do update set differs = excluded.differs
     returning page`,
    [
      network,
      page,
      from,
      differs.map(({ asset }) => asset),
      differs.map(({ address }) => address),
      differs.map(({ amount }) => String(amount)),
    ],
  );
}

/** Why the balances of a network cannot be read; undefined: they can. Another job may begin. */
export const noteFault = (db: Database, network: string, fault: string | undefined) =>
  execute(
    db,
    `update chain_balance_page set fault = $2, busy_until = null
      where network = $1 and page = ${SHARED_PAGE} returning page`,
    [network, fault],
  );

interface Explained {
  /** Payments in the blocks that have changed a balance. */
  readonly transfers: readonly ChainTransfer[];
  /** Number of those that only a balance shows. */
  readonly receipts: number;
}

/** The payments behind the changes of a page. What else moved is recorded. */
export async function paymentsOf(
  tx: Tx,
  { rail, network }: { rail: ChainRail; network: string },
  { changes }: PageReading,
): Promise<Explained> {
  const transfers: ChainTransfer[] = [];
  let receipts = 0;
  for (const change of changes) {
    const ours = ownWallets(tx.config, rail);
    const others = change.transfers.filter(({ from }) => !ours.has(from));
    const payments = await paidToUs(tx, rail, others);
    const recorded = await recordedIn(tx.db, network, change, payments);
    const { receipt, moved } = explain(rail, change, { payments, recorded });
    if (moved !== 0n) await note(tx.db, network, change, moved);
    transfers.push(...payments, ...(receipt ? [receipt] : []));
    receipts += receipt ? 1 : 0;
  }
  return { transfers, receipts };
}

const sumOf = (transfers: readonly Pick<ChainTransfer, 'amount'>[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * The payment that only a balance shows, and what moved otherwise, which is less than nothing where
 * money left. A surplus of the coin is a payment. One of a token is none, because each payment of a
 * token has a log: the audit shows it. `recorded`: recorded payments that the block does not show.
 */
function explain(
  rail: ChainRail,
  { block, asset, address, change, own = 0n, at, transfers }: ExplainedChange,
  { payments, recorded }: { payments: readonly ChainTransfer[]; recorded: bigint },
) {
  const left = change - own - sumOf(transfers);
  const known = left > 0n ? (recorded < left ? recorded : left) : 0n;
  const rest = left > known ? left - known : 0n;
  const isCoin = CHAINS[rail].assets.some(({ sign, worth }) => sign === asset && worth === 'price');
  const receipt: ChainTransfer | undefined =
    isCoin && rest > 0n
      ? {
          txId: balanceIdOf(block, address),
          index: 0,
          asset,
          amount: rest,
          from: NO_SENDER,
          to: address,
          position: block,
          at,
        }
      : undefined;
  return { receipt, moved: change - rest - known - sumOf(payments) };
}

/** The sum of recorded payments to an address in a block that are not among these. */
async function recordedIn(
  db: Database,
  network: string,
  { block, asset, address }: ExplainedChange,
  payments: readonly ChainTransfer[],
): Promise<bigint> {
  const { amount } = await row(
    db,
    { amount: column.text },
    `select coalesce(sum(amount), 0)::text as amount from deposit
      where network = $1 and recipient = $2 and position = $3 and asset = $4 and ${FINAL}
        and (tx_id, tx_index) not in (select * from unnest($5::text[], $6::int[]))`,
    [
      network,
      address,
      block,
      asset,
      payments.map(({ txId }) => txId),
      payments.map(({ index }) => index),
    ],
  );
  return BigInt(amount);
}

const note = (db: Database, network: string, { asset, address }: ExplainedChange, moved: bigint) =>
  execute(
    db,
    `update chain_balance set moved = moved + $4
      where (network, asset, address) = ($1, $2, $3) returning page`,
    [network, asset, address, String(moved)],
  );
