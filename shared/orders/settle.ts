import type { EntityManager } from 'typeorm';

import { emit } from '../events/events.ts';
import { creditFirst, escrow, insertTransfers } from '../ledger/ledger.ts';
import { revenue, treasury, type Funds, type Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import { unspend } from '../wallet/spend.ts';
import type { LockedOrder } from './locked_orders.ts';
import { restock } from './restock.ts';
import type { OrderStatus } from './statuses.ts';

/**
 * Empties the escrows of these orders and closes them: so much of each subtotal to its seller, the
 * fee for that part to the platform, the rest back to its buyer.
 */
export async function settle(
  db: EntityManager,
  orders: readonly LockedOrder[],
  toSeller: (order: LockedOrder) => Micros,
): Promise<void> {
  const settled = orders.map((order) => ({ order, split: splitOf(order, toSeller(order)) }));
  await insertTransfers(
    db,
    settled.flatMap(({ order, split }) => transfersOf(order, split)),
  );
  await db.query(
    `update orders set status = s.status, refunded = s.refunded, closed_at = now()
       from unnest($1::int[], $2::text[], $3::bigint[]) as s(id, status, refunded)
      where orders.id = s.id`,
    [
      settled.map(({ order }) => order.id),
      settled.map(({ split }) => split.status),
      settled.map(({ split }) => split.refund.toString()),
    ],
  );
  // Products are locked in the order of their ids, as purchases lock them.
  for (const { order, split } of settled.toSorted(byProduct)) {
    if (split.refund > 0n) await unspend(db, order, split.refund);
    if (split.status === 'refunded') await restock(db, order);
  }
  await tell(
    db,
    settled.map(({ order, split }) => ({
      order,
      type: `order.${split.status}`,
      status: split.status,
      data: { refunded: toUsd(split.refund) },
    })),
  );
}

/** Tells both parties. */
export async function tell(
  db: EntityManager,
  news: readonly { order: LockedOrder; type: string; status: OrderStatus; data?: object }[],
): Promise<void> {
  await emit(
    db,
    news.flatMap(({ order: { id, buyerId, sellerId }, type, status, data }) =>
      [buyerId, sellerId].map((agentId) => ({
        agentId,
        type,
        object: { kind: 'order', id, status },
        data: { order_id: id, ...data },
      })),
    ),
  );
}

const byProduct = (a: { order: LockedOrder }, b: { order: LockedOrder }) =>
  a.order.productId - b.order.productId;

interface Split {
  readonly status: 'completed' | 'refunded' | 'partially_refunded';
  readonly earned: Micros;
  readonly fee: Micros;
  readonly refund: Micros;
}

/** The fee is kept for the part that the seller earns, rounded down; the buyer has the rest. */
function splitOf({ subtotal, fee }: LockedOrder, earned: Micros): Split {
  const kept = (fee * earned) / subtotal;
  const refund = subtotal + fee - earned - kept;
  const status =
    earned === 0n ? 'refunded' : earned === subtotal ? 'completed' : 'partially_refunded';
  return { status, earned, fee: kept, refund };
}

/**
 * What leaves an escrow to others takes credit first, the seller before the platform; the buyer
 * gets back the funds that are left. So two agents cannot turn welcome credit into cash.
 */
function transfersOf(order: LockedOrder, { earned, fee, refund }: Split): Transfer[] {
  const { id: ref, escrowId, buyersRoot, sellersRoot, holds } = order;
  const from = escrow(escrowId);
  const toSeller = creditFirst(earned, holds);
  const afterSeller = minus(holds, toSeller);
  const toPlatform = creditFirst(fee, afterSeller);
  const left = minus(afterSeller, toPlatform);
  const transfers: Transfer[] = [
    { kind: 'order.release', ref, from, to: treasury(sellersRoot), ...toSeller },
    { kind: 'order.fee', ref, from, to: revenue('fee'), ...toPlatform },
  ];
  if (refund > 0n) {
    transfers.push({ kind: 'order.refund', ref, from, to: treasury(buyersRoot), ...left });
  }
  return transfers;
}

const minus = (a: Funds, b: Funds): Funds => ({
  credit: a.credit - b.credit,
  cash: a.cash - b.cash,
});
