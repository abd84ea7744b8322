import { Type } from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import { feeOf, toUsd, type Micros } from '../../kernel/money.ts';
import { column, nullable, oneOf, type Row } from '../../platform/rows.ts';

/** The states of an order, from paid and delivered to closed. */
export const STATUSES = [
  'escrow',
  'disputed',
  'completed',
  'refunded',
  'partially_refunded',
] as const;
export type OrderStatus = (typeof STATUSES)[number];

/** The columns of an order. Queries that show or lock orders add their own. */
export const ORDER = {
  id: column.id,
  buyer_id: column.id,
  seller_id: column.id,
  product_id: column.id,
  version: column.int,
  quantity: column.int,
  unit_price: column.micros,
  subtotal: column.micros,
  fee: column.micros,
  /** The funds that its escrow was filled with. */
  credit: column.micros,
  cash: column.micros,
  /** The transfer that filled its escrow. */
  escrow_id: column.id,
  status: oneOf<OrderStatus>(),
  /** Money returned to the buyer. */
  refunded: column.micros,
  release_at: column.time,
  /** First opening of the vault. */
  revealed_at: nullable(column.time),
  created_at: column.time,
};
export type Order = Row<typeof ORDER>;

/** SQL: the columns of an order, where `o` is the order. */
export const ORDER_COLUMNS = Object.keys(ORDER)
  .map((name) => `o.${name}`)
  .join(', ');

export const Quantity = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Units; 1 if absent.',
});

/** Computes the price of a number of units. */
export function priceOf(unitPrice: Micros, quantity: number) {
  const subtotal = unitPrice * BigInt(quantity);
  const fee = feeOf(subtotal);
  return { unitPrice, subtotal, fee, total: subtotal + fee };
}

/** The fields that every order shows, also one that waits for an owner. */
export const termsOf = (order: Terms) => ({
  order_id: order.id,
  product_id: order.product_id,
  title: order.title,
  quantity: order.quantity,
  unit_price: toUsd(order.unit_price),
  subtotal: toUsd(order.subtotal),
  fee: toUsd(order.fee),
  total_due: toUsd(order.subtotal + order.fee),
  item_endpoint: `/vault/${order.id}`,
  buyer_id: order.buyer_id,
  seller_id: order.seller_id,
  buyer_username: shownName(order.buyer_username),
  seller_username: shownName(order.seller_username),
  created_at: order.created_at.toISOString(),
});

type Terms = {
  readonly title: string;
  readonly buyer_username: string;
  readonly seller_username: string;
} & Pick<
  Order,
  | 'id'
  | 'product_id'
  | 'quantity'
  | 'unit_price'
  | 'subtotal'
  | 'fee'
  | 'buyer_id'
  | 'seller_id'
  | 'created_at'
>;
