import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Id, Input, OneOf, Output } from '../../../kernel/schema.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { column, oneOf, rows, type Row } from '../../../platform/rows.ts';
import { receiptOf, STORED_RECEIPT, STORED_RECEIPT_SQL } from '../stored_receipt.ts';
import { rejectDeposit } from './await_deposit.ts';
import { pricesOf, type Prices } from '../prices/deposit_value.ts';
import { networkPaidOn, paidToUs } from './recipients.ts';
import { creditFinal, settle } from './settle.ts';

/** Time without any provider knowing a transaction, after which it counts as dropped. */
const DROPPED_MS = 24 * 3_600_000;

/**
 * Checks a waiting deposit again: whether its block is final, and then whether there is a price.
 * If neither can be found out, it goes on waiting.
 */
export const confirmDeposit = operation({
  name: 'confirm_deposit',
  title: 'Confirm a deposit',
  summary: 'Internal: credits a payment that was not final or had no price when found.',
  access: 'operator',
  mode: 'job',
  queue: 'probes',
  input: Input({ deposit_id: Id('A waiting deposit.') }),
  output: Output({ outcome: OneOf(['gone', 'waits', 'looked'], 'The result.') }),

  async prepare(tx, { deposit_id }) {
    const waiting = await findWaiting(tx, deposit_id);
    if (!waiting || !isOn(tx, waiting)) return undefined;
    return waiting;
  },

  async gather({ chains, prices }, _input, _call, waiting) {
    if (!waiting) return undefined;
    const { rail, tx_id, status, asset } = waiting;
    try {
      // Payments for calls are recorded when they are final.
      const isSeen = status === 'detected' && rail !== 'x402';
      const read = isSeen ? await chains(rail).read(tx_id) : undefined;
      const transfers = read && 'transfers' in read ? read.transfers : [];
      const isFinal = !read || read.status === 'final';
      const signs = [asset, ...transfers.map((transfer) => transfer.asset)];
      return { read, transfers, prices: isFinal ? await pricesOf(prices, signs) : new Map() };
    } catch (error) {
      return { fault: String(error) };
    }
  },

  async handle(tx, { deposit_id }, found) {
    if (!found) return { outcome: 'gone' as const };
    if ('fault' in found) {
      tx.log.warn({ deposit_id, fault: found.fault }, 'nothing was found out about a deposit');
      return { outcome: 'waits' as const };
    }
    const waiting = await findWaiting(tx, deposit_id);
    if (!waiting) return { outcome: 'gone' as const };
    const { read, prices } = found;
    if (!read || waiting.rail === 'x402') await priceFinal(tx, waiting, prices);
    else if (read.status === 'unknown' || read.status === 'failed') {
      await endUnpaid(tx, waiting, read.status);
    } else {
      const { rail, network, tx_id: txId, tx_index: index } = waiting;
      const isFinal = read.status === 'final';
      const transfers = await paidToUs(tx, rail, found.transfers);
      await settle(tx, { rail, network, transfers, isFinal, prices });
      // A reorganised transaction may pay something else in its final block.
      if (isFinal && !transfers.some((transfer) => transfer.index === index)) {
        await rejectDeposit(tx, { network, txId, index }, MOVED);
      }
    }
    return { outcome: 'looked' as const };
  },
});

const MOVED = 'Its final block pays something else.';

const WAITING = {
  ...STORED_RECEIPT,
  status: oneOf<'detected' | 'confirming'>(),
  created_at: column.time,
};
type Waiting = Row<typeof WAITING>;

async function findWaiting({ db }: Tx, id: number): Promise<Waiting | undefined> {
  const sql = `select ${STORED_RECEIPT_SQL}, status, created_at from deposit
                where id = $1 and look_at is not null`;
  const [waiting] = await rows(db, WAITING, sql, [id]);
  return waiting;
}

/** Whether the rail is on and still the same network. */
const isOn = ({ config }: Tx, { rail, network }: Waiting): boolean =>
  networkPaidOn(config, rail) === network;

/** Credits a deposit whose evidence is final, so that only the price is asked for. */
async function priceFinal(tx: Tx, waiting: Waiting, prices: Prices): Promise<void> {
  const receipt = receiptOf(waiting);
  await lockTreasuries(tx.db, [receipt.rootId]);
  await creditFinal(tx, receipt, prices);
}

async function endUnpaid(
  tx: Tx,
  { network, tx_id: txId, tx_index: index, created_at }: Waiting,
  status: 'unknown' | 'failed',
): Promise<void> {
  const isOver = tx.now.getTime() - created_at.getTime() > DROPPED_MS;
  if (status === 'unknown' && !isOver) return;
  const why = status === 'failed' ? 'The transaction failed.' : 'Its network has dropped it.';
  await rejectDeposit(tx, { network, txId, index }, why);
}
