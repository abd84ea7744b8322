import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ORDER_COLUMNS, ORDER_FROM, viewOf, type OrderRow } from './orders.ts';
import { lockOrders, type LockedOrder } from './locked_orders.ts';
import type { OrderStatus } from './statuses.ts';

/** Who a caller is to an order. An ancestor of the buyer acts as the buyer. */
export type Role = 'buyer' | 'seller';

/** An order of the caller's, locked. Anybody else's does not exist. */
export async function lockOwnOrder(
  tx: Tx,
  orderId: number,
): Promise<{ order: LockedOrder; role: Role }> {
  const role = await roleIn(tx, orderId);
  const [order] = role ? await lockOrders(tx.db, [orderId]) : [];
  if (!role || !order) throw new Refusal('not_found', `There is no order ${orderId} among yours.`);
  return { order, role };
}

async function roleIn({ db, caller }: Tx, orderId: number): Promise<Role | undefined> {
  const [row] = await db.query(
    `select $2 = any (buyer.lineage) as buys, o.seller_id = $2 as sells
       from orders o join agent buyer on buyer.id = o.buyer_id where o.id = $1`,
    [orderId, caller.agentId],
  );
  return row?.buys ? 'buyer' : row?.sells ? 'seller' : undefined;
}

export function assertRole(role: Role, needed: Role): void {
  if (role === needed) return;
  throw new Refusal('forbidden', `Only the ${needed} of this order may do that.`);
}

/** Refuses unless the order is in one of these states. */
export function assertStatus({ id, status }: LockedOrder, ...wanted: OrderStatus[]): void {
  if (wanted.includes(status)) return;
  throw new Refusal(
    'invalid_transition',
    `Order ${id} is ${status}; that cannot be done any more.`,
    {
      status,
    },
  );
}

/** The order as the caller sees it now. */
export async function shownTo(tx: Tx, orderId: number) {
  const [row]: OrderRow[] = await tx.db.query(
    `select ${ORDER_COLUMNS} from ${ORDER_FROM} where o.id = $1`,
    [orderId],
  );
  return viewOf(row!, tx);
}
