import { EntitySchema } from 'typeorm';

import { microsColumn } from '../columns.ts';
import { feeOf, type Micros } from '../money.ts';
import { Type } from '../schema.ts';

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
  /** The colours that its escrow was filled with. */
  credit: Micros;
  cash: Micros;
  /** The ledger entry that filled its escrow. */
  escrowId: string;
  status: 'escrow' | 'completed';
  releaseAt: Date;
  /** When the vault was first opened. */
  revealedAt: Date | null;
  createdAt: Date;
  completedAt: Date | null;
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
    releaseAt: { name: 'release_at', type: 'timestamptz' },
    revealedAt: { name: 'revealed_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    completedAt: { name: 'completed_at', type: 'timestamptz', nullable: true },
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
