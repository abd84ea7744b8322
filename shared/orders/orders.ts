import { EntitySchema } from 'typeorm';

import { microsColumn } from '../ledger/micros_column.ts';
import { feeOf, toUsd, type Micros } from '../ledger/money.ts';
import type { Call } from '../kernel/operation.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { DISPUTE_COLUMNS, disputeOf, DisputeView, type DisputeRow } from './disputes.ts';
import { STATUSES, type OrderStatus } from './statuses.ts';

export interface Order {
  id: number;
  jobId: string;
  buyerId: number;
  sellerId: number;
  productId: number;
  version: number;
  quantity: number;
  unitPrice: Micros;
  subtotal: Micros;
  fee: Micros;
  /** The funds that its escrow was filled with. */
  credit: Micros;
  cash: Micros;
  /** The ledger entry that filled its escrow. */
  escrowId: string;
  status: OrderStatus;
  /** What went back to the buyer. */
  refunded: Micros;
  releaseAt: Date;
  /** When the vault was first opened. */
  revealedAt: Date | null;
  createdAt: Date;
  /** When its escrow was emptied. */
  closedAt: Date | null;
}

export const Orders = new EntitySchema<Order>({
  name: 'orders',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    jobId: { name: 'job_id', type: 'uuid' },
    buyerId: { name: 'buyer_id', type: 'int' },
    sellerId: { name: 'seller_id', type: 'int' },
    productId: { name: 'product_id', type: 'int' },
    version: { type: 'int' },
    quantity: { type: 'int' },
    unitPrice: { name: 'unit_price', ...microsColumn },
    subtotal: microsColumn,
    fee: microsColumn,
    credit: microsColumn,
    cash: microsColumn,
    escrowId: { name: 'escrow_id', type: 'bigint' },
    status: { type: 'text' },
    refunded: microsColumn,
    releaseAt: { name: 'release_at', type: 'timestamptz' },
    revealedAt: { name: 'revealed_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    closedAt: { name: 'closed_at', type: 'timestamptz', nullable: true },
  },
});

export const Quantity = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'How many units; 1 if absent.',
});

/** What so many units cost: one sum for preview, charge and refund. */
export function quote(unitPrice: Micros, quantity: number) {
  const subtotal = unitPrice * BigInt(quantity);
  const fee = feeOf(subtotal);
  return { unitPrice, subtotal, fee, total: subtotal + fee };
}

export type Quote = ReturnType<typeof quote>;

/** The order as every door shows it. */
export const OrderView = Output({
  order_id: Id('Pass it to get_vault_item.'),
  product_id: Id('What was bought.'),
  title: Text(1, 120, 'Of the version that was bought.'),
  quantity: Quantity,
  unit_price: Amount('Of one unit.'),
  subtotal: Amount('unit_price × quantity.'),
  fee: Amount('10 % of the subtotal, kept only when the order completes.'),
  total_due: Amount('What was paid: subtotal + fee.'),
  status: OneOf(STATUSES, 'escrow: delivered and paid for, not yet released to the seller.'),
  refunded: Amount('What went back to the buyer.'),
  item_endpoint: Text(1, 40, 'Where the delivered item can be read.'),
  buyer_id: Id('The agent that bought.'),
  seller_id: Id('The agent that sells.'),
  release_at: Time('When the escrow is released to the seller if nothing happens before.'),
  revealed_at: Nullable(Time('When the vault was first opened.')),
  created_at: Time('When it was bought.'),
  deadlines: Type.Array(
    Output({ at: Time('When.'), happens: Text(1, 120, 'What happens then, if nothing is done.') }),
    { maxItems: 4 },
  ),
  available_actions: Type.Array(Text(1, 40, 'An operation.'), {
    maxItems: 8,
    description: 'What you can do with this order now.',
  }),
  dispute: Nullable(DisputeView),
});

/** The columns of an OrderView, for `from orders o join product_version v …`; see ORDER_FROM. */
export const ORDER_COLUMNS = `
  o.id, o.product_id, v.title, o.quantity, o.unit_price, o.subtotal, o.fee, o.status, o.refunded,
  o.buyer_id, o.seller_id, o.release_at, o.revealed_at, o.created_at,
  buyer.lineage as buyer_lineage, ${DISPUTE_COLUMNS}`;
export const ORDER_FROM = `
  orders o join product_version v on v.product_id = o.product_id and v.version = o.version
  join agent buyer on buyer.id = o.buyer_id left join dispute on dispute.order_id = o.id`;

export interface OrderRow extends DisputeRow {
  id: number;
  product_id: number;
  title: string;
  quantity: number;
  unit_price: string;
  subtotal: string;
  fee: string;
  status: OrderStatus;
  refunded: string;
  buyer_id: number;
  seller_id: number;
  release_at: Date;
  revealed_at: Date | null;
  created_at: Date;
  buyer_lineage: number[];
}

export const itemEndpoint = (orderId: number): string => `/vault/${orderId}`;

/** The order as its caller sees it: its buyer, an ancestor of the buyer, or its seller. */
export function viewOf(row: OrderRow, { caller: { agentId }, now }: Pick<Call, 'caller' | 'now'>) {
  return {
    order_id: row.id,
    product_id: row.product_id,
    title: row.title,
    quantity: row.quantity,
    unit_price: toUsd(BigInt(row.unit_price)),
    subtotal: toUsd(BigInt(row.subtotal)),
    fee: toUsd(BigInt(row.fee)),
    total_due: toUsd(BigInt(row.subtotal) + BigInt(row.fee)),
    status: row.status,
    refunded: toUsd(BigInt(row.refunded)),
    item_endpoint: itemEndpoint(row.id),
    buyer_id: row.buyer_id,
    seller_id: row.seller_id,
    release_at: row.release_at.toISOString(),
    revealed_at: row.revealed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    deadlines: deadlinesOf(row),
    available_actions: row.buyer_lineage.includes(agentId)
      ? buyersActions(row, now)
      : sellersActions(row),
    dispute: disputeOf(row),
  };
}

function deadlinesOf({ status, release_at, respond_by, responded_at }: OrderRow) {
  if (status === 'escrow') {
    return [{ at: release_at.toISOString(), happens: 'The escrow is released to the seller.' }];
  }
  if (status !== 'disputed' || responded_at) return [];
  return [{ at: respond_by!.toISOString(), happens: 'The buyer is refunded in full.' }];
}

function buyersActions(row: OrderRow, now: Date): string[] {
  const { status, revealed_at, release_at, respond_by } = row;
  if (status === 'refunded') return [];
  if (status === 'completed' || status === 'partially_refunded') return ['get_vault_item'];
  const refund = revealed_at ? [] : ['refund_order'];
  if (status === 'disputed') return ['get_vault_item', 'withdraw_dispute', ...refund];
  const dispute = respond_by || release_at <= now ? [] : ['dispute_order'];
  return ['get_vault_item', 'confirm_order', ...dispute, ...refund];
}

function sellersActions({ status, responded_at }: OrderRow): string[] {
  if (status === 'escrow') return ['refund_order'];
  if (status !== 'disputed') return [];
  return responded_at ? ['refund_order'] : ['respond_dispute', 'refund_order'];
}
