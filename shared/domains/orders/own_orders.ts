import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, rows } from '../../platform/rows.ts';
import { lockOrders, type LockedOrder } from './locked_orders.ts';
import { assertNoPendingOrder } from './pending/pending_order_view.ts';
import type { OrderStatus } from './order.ts';
import { findShownOrders, viewOf } from './order_view.ts';

/** The side of an order that the caller is on. An ancestor of the buyer acts as the buyer. */
export type Role = 'buyer' | 'seller';

/** Locks an order of the caller's. Refuses an order of others as if it did not exist. */
export async function lockOwnOrder(
  tx: Tx,
  orderId: number,
): Promise<{ order: LockedOrder; role: Role }> {
  const role = await roleIn(tx, orderId);
  const [order] = role ? await lockOrders(tx.db, [orderId]) : [];
  if (!order) await assertNoPendingOrder(tx.db, { orderId, agentId: tx.caller.agentId });
  if (!role || !order) throw new Refusal('not_found', `You have no order ${orderId}.`);
  return { order, role };
}

async function roleIn({ db, caller }: Tx, orderId: number): Promise<Role | undefined> {
  const [sides] = await rows(
    db,
    { buys: column.boolean, sells: column.boolean },
    `select $2 = any (buyer.lineage) as buys, o.seller_id = $2 as sells
       from orders o join agent buyer on buyer.id = o.buyer_id where o.id = $1`,
    [orderId, caller.agentId],
  );
  return sides?.buys ? 'buyer' : sides?.sells ? 'seller' : undefined;
}

export function assertRole(role: Role, needed: Role): void {
  if (role === needed) return;
  throw new Refusal('forbidden', `Only the ${needed} of this order may do that.`);
}

/** Refuses unless the order is in one of these states. */
export function assertStatus({ id, status }: LockedOrder, ...wanted: OrderStatus[]): void {
  if (wanted.includes(status)) return;
  const message = `Order ${id} is ${status}; that cannot be done any more.`;
  throw new Refusal('invalid_transition', message, { status });
}

/** Returns the order as the caller sees it now. */
export async function shownTo(tx: Tx, orderId: number) {
  const [order] = await findShownOrders(tx.db, 'where o.id = $1', [orderId]);
  return viewOf(order!, tx);
}
