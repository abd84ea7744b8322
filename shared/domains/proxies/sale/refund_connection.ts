import { lockTreasuries, type MoneyTx } from '../../ledger/ledger.ts';
import { column, execute, row, rows, type Database } from '../../../platform/rows.ts';
import { METERED } from '../../wallet/charge.ts';
import { refundCharge } from '../../wallet/refund_charge.ts';

/** A connection that was charged, and on which its target never sent a byte. */
interface UnansweredConnection {
  /** The id of the connection. */
  readonly id: string;
  readonly chargeId: string;
  /** The tree that paid. */
  readonly rootId: number;
  /** Bytes that the client had sent. 0: it was never told that the connection is open. */
  readonly bytes: number;
}

/**
 * Maximum bytes that a tree may send in a day (UTC) over refunded connections: a base, and more for
 * each purchase of proxies that it paid for that day.
 */
export const REFUNDED_BYTES = { aDay: 65_536, aPurchase: 1_024 } as const;
/** Minimum bytes that a request counts as: a shorter one arrives too. */
const BYTES_MIN = 1_024;

/**
 * Refunds the charge of a connection, once even if repeated, unless its tree has reached today's
 * limit of bytes sent free. Resolves with whether it is refunded. Locks the tree first.
 */
export async function refundUnanswered(
  tx: MoneyTx,
  { id, chargeId, rootId, bytes }: UnansweredConnection,
): Promise<boolean> {
  const { db } = tx;
  await lockTreasuries(db, [rootId]);
  const made = await rows(
    db,
    { charge_id: column.id },
    'select charge_id from connection_refund where charge_id = $1',
    [chargeId],
  );
  if (made.length > 0) return true;
  const counted = bytes === 0 ? 0 : Math.max(bytes, BYTES_MIN);
  if (counted > 0 && !(await isAllowed(db, { chargeId, rootId, counted }))) return false;
  await refundCharge(tx, {
    chargeId,
    cause: `connection:${id}`,
    amount: METERED.proxy.unitPrice,
  });
  await execute(
    db,
    'insert into connection_refund (charge_id, root_id, bytes) values ($1, $2, $3)',
    [chargeId, rootId, counted],
  );
  return true;
}

async function isAllowed(
  db: Database,
  { chargeId, rootId, counted }: { chargeId: string; rootId: number; counted: number },
): Promise<boolean> {
  const { used } = await row(
    db,
    { used: column.int },
    `select coalesce(sum(bytes), 0)::int as used from connection_refund
      where root_id = $1 and refunded_at >= date_trunc('day', now(), 'UTC')`,
    [rootId],
  );
  const { aDay, aPurchase } = REFUNDED_BYTES;
  const needed = Math.ceil((used + counted - aDay) / aPurchase);
  if (needed <= 0) return true;
  // Purchases are counted only up to the number needed.
  const { bought } = await row(
    db,
    { bought: column.int },
    `select count(*)::int as bought from (
       select from charge
        where agent_id = any (array(select id from agent where root_id = $1))
          and service = 'proxy' and created_at >= date_trunc('day', now(), 'UTC')
          -- A transaction that began after midnight may have had the lock first.
          and created_at < date_trunc('day', now(), 'UTC') + interval '1 day'
          and refunded_credit + refunded_cash = 0 and id <> $2
        limit $3) purchase`,
    [rootId, chargeId, needed],
  );
  return bought >= needed;
}
