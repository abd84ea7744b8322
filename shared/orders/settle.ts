import { creditFirst, escrow, insertTransfers, type MoneyTx } from '../ledger/ledger.ts';
import { revenue, treasury, type Funds, type Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import { execute } from '../platform/rows.ts';
import { unspend } from '../wallet/spend.ts';
import type { LockedOrder } from './locked_orders.ts';
import { notifyParties } from './order_events.ts';
import { restock } from './restock.ts';

/**
 * Empties the escrows of these orders and closes them: so much of each subtotal to its seller, the
 * fee for that part to the platform, the rest back to its buyer.
 */
export async function settle(
  tx: MoneyTx,
  orders: readonly LockedOrder[],
  toSeller: (order: LockedOrder) => Micros,
): Promise<void> {
  const { db } = tx;
  const settlements = orders.map((order) => settlementOf(order, toSeller(order)));
  await insertTransfers(tx, settlements.flatMap(transfersOf));
  await execute(
    db,
    `update orders set status = s.status, refunded = s.refunded, closed_at = now()
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as s(id, status, refunded)
      where orders.id = s.id`,
    [
      settlements.map(({ order }) => order.id),
      settlements.map(({ status }) => status),
      settlements.map(({ refund }) => refund),
    ],
  );
  // Products are locked in the order of their ids, as purchases lock them.
  for (const { order, status, refund } of settlements.toSorted((a, b) =>
    byProduct(a.order, b.order),
  )) {
    if (refund > 0n) {
      await unspend(db, { agentId: order.buyer_id, day: order.spent_on, amount: refund });
    }
    if (status === 'refunded') await restock(db, order);
  }
  await notifyParties(
    db,
    settlements.map(({ order, status, refund }) => ({
      order: { ...order, status },
      type: `order.${status}`,
      data: { refunded: toUsd(refund) },
    })),
  );
}

/** The order in which settling locks products. */
export const byProduct = (a: LockedOrder, b: LockedOrder) => a.product_id - b.product_id;

interface Settlement {
  readonly order: LockedOrder;
  readonly status: 'completed' | 'refunded' | 'partially_refunded';
  readonly earned: Micros;
  readonly fee: Micros;
  readonly refund: Micros;
}

/** The fee is kept for the part that the seller earns, rounded down; the buyer has the rest. */
function settlementOf(order: LockedOrder, earned: Micros): Settlement {
  const { subtotal } = order;
  const fee = (order.fee * earned) / subtotal;
  const refund = subtotal + order.fee - earned - fee;
  const status =
    earned === 0n ? 'refunded' : earned === subtotal ? 'completed' : 'partially_refunded';
  return { order, status, earned, fee, refund };
}

/**
 * What leaves an escrow to others takes credit first, the seller before the platform; the buyer
 * gets back the funds that are left. So two agents cannot turn welcome credit into cash.
 */
function transfersOf({ order, earned, fee, refund }: Settlement): Transfer[] {
  const from = escrow(order.escrow_id, order.buyer_root);
  const toSeller = creditFirst(earned, order);
  const afterSeller = minus(order, toSeller);
  const toPlatform = creditFirst(fee, afterSeller);
  const left = minus(afterSeller, toPlatform);
  const ref = order.id;
  const transfers: Transfer[] = [
    { kind: 'order.release', ref, from, to: treasury(order.seller_root), ...toSeller },
    { kind: 'order.fee', ref, from, to: revenue('fee'), ...toPlatform },
  ];
  if (refund > 0n) {
    transfers.push({ kind: 'order.refund', ref, from, to: treasury(order.buyer_root), ...left });
  }
  return transfers;
}

const minus = (a: Funds, b: Funds): Funds => ({
  credit: a.credit - b.credit,
  cash: a.cash - b.cash,
});
