import type { Call } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import {
  column,
  finder,
  nullable,
  oneOf,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import { termsOf } from '../order.ts';

/** The states of a purchase that is no order yet, or never became one. */
export const PENDING_STATUSES = ['pending_approval', 'cancelled', 'expired'] as const;

const PENDING_ORDER = {
  id: column.id,
  status: oneOf<(typeof PENDING_STATUSES)[number]>(),
  approval_id: nullable(column.id),
  expires_at: nullable(column.time),
  buyer_id: column.id,
  seller_id: column.id,
  buyer_username: column.text,
  seller_username: column.text,
  product_id: column.id,
  title: column.text,
  quantity: column.int,
  unit_price: column.micros,
  subtotal: column.micros,
  fee: column.micros,
  reserved_until: nullable(column.time),
  created_at: column.time,
};
type PendingOrder = Row<typeof PENDING_ORDER>;

/** Finds pending orders as they are shown. `o` is the order, `buyer` its buyer. */
export const findPendingOrders = finder(
  PENDING_ORDER,
  `select o.id, o.status, a.id as approval_id, a.expires_at, o.buyer_id, o.seller_id,
          buyer.username as buyer_username, seller.username as seller_username, o.product_id,
          o.title, o.quantity, o.unit_price, o.subtotal, o.fee, o.reserved_until, o.created_at
     from pending_order o
     join agent buyer on buyer.id = o.buyer_id
     join agent seller on seller.id = o.seller_id
     left join lateral (select id, expires_at from approval
                         where job_id = o.job_id and status = 'pending') a on true`,
);

/** The pending order as its caller sees it: like an order that nothing was paid for. */
export const pendingViewOf = (order: PendingOrder, { caller }: Pick<Call, 'caller'>) => ({
  ...termsOf(order),
  credit: 0,
  cash: 0,
  status: order.status,
  refunded: 0,
  release_at: null,
  revealed_at: null,
  approval_id: order.approval_id,
  deadlines: [
    ...deadline(order.reserved_until, 'The units are no longer reserved for this order.'),
    ...deadline(order.expires_at, 'The purchase is refused.'),
  ],
  available_actions:
    order.approval_id !== null && order.buyer_id === caller.agentId
      ? (['cancel_approval'] as const).slice()
      : [],
  dispute: null,
});

const deadline = (at: Date | null, happens: string) =>
  at ? [{ at: at.toISOString(), happens }] : [];

/** Refuses a call that needs a placed order if an owner has not approved the purchase. */
export async function assertNoPendingOrder(
  db: Database,
  { orderId, agentId }: { orderId: number; agentId: number },
): Promise<void> {
  const clauses = 'where o.id = $1 and $2 = any (buyer.lineage)';
  const [order] = await findPendingOrders(db, clauses, [orderId, agentId]);
  if (!order) return;
  const message =
    order.status === 'pending_approval'
      ? `Order ${orderId} waits for an owner to approve it.`
      : `Order ${orderId} is ${order.status}: nothing was bought.`;
  throw new Refusal('invalid_transition', message, { status: order.status });
}
