import type { Call } from '../../kernel/tx.ts';
import type { Order } from './order.ts';

/** The operations on an order that its parties can call. */
export const ORDER_ACTIONS = [
  'get_vault_item',
  'confirm_order',
  'refund_order',
  'dispute_order',
  'withdraw_dispute',
  'respond_dispute',
] as const;
type OrderAction = (typeof ORDER_ACTIONS)[number];

/** The facts of an order, its buyer and its dispute that decide which operations are available. */
type OrderState = Pick<Order, 'status' | 'revealed_at' | 'release_at' | 'seller_id'> & {
  /** The buyer is refunded then, because it was not let in; null: no such time. */
  readonly access_by: Date | null;
  readonly buyer_lineage: readonly number[];
  readonly respond_by: Date | null;
  readonly responded_at: Date | null;
};

/**
 * The operations that the caller can call on the order now, on the buyer's side or as the seller.
 * Agents above a seller can only read the order.
 */
export function availableActions(
  order: OrderState,
  { caller, now }: Pick<Call, 'caller' | 'now'>,
): OrderAction[] {
  const buys = order.buyer_lineage.includes(caller.agentId);
  if (buys) return buyersActions(order, now);
  return order.seller_id === caller.agentId ? sellersActions(order) : [];
}

/** The deadlines of an order, and the outcome of each if nobody acts. */
export function deadlinesOf(order: OrderState) {
  const { status, release_at, access_by, respond_by, responded_at } = order;
  if (status === 'escrow' && access_by) {
    return [{ at: access_by.toISOString(), happens: 'The buyer is refunded, if not let in.' }];
  }
  if (status === 'escrow') {
    return [{ at: release_at.toISOString(), happens: 'The escrow is released to the seller.' }];
  }
  if (status !== 'disputed' || responded_at) return [];
  return [{ at: respond_by!.toISOString(), happens: 'The buyer is refunded in full.' }];
}

function buyersActions(order: OrderState, now: Date): OrderAction[] {
  const { status, revealed_at, release_at, access_by, respond_by } = order;
  if (status === 'refunded') return [];
  if (status === 'completed' || status === 'partially_refunded') return ['get_vault_item'];
  const refund: OrderAction[] = revealed_at && !access_by ? [] : ['refund_order'];
  if (status === 'disputed') return ['get_vault_item', 'withdraw_dispute', ...refund];
  const isLate = release_at <= now && !access_by;
  const dispute: OrderAction[] = respond_by || isLate ? [] : ['dispute_order'];
  return ['get_vault_item', 'confirm_order', ...dispute, ...refund];
}

function sellersActions({ status, responded_at }: OrderState): OrderAction[] {
  if (status === 'escrow') return ['refund_order'];
  if (status !== 'disputed') return [];
  return responded_at ? ['refund_order'] : ['respond_dispute', 'refund_order'];
}
