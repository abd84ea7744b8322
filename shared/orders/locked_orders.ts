import type { EntityManager } from 'typeorm';

import { lockTreasuries, type Funds } from '../ledger/ledger.ts';
import type { Micros } from '../ledger/money.ts';
import type { OrderStatus } from './statuses.ts';

/** An order whose row and whose parties' trees are locked until the transaction ends. */
export interface LockedOrder {
  readonly id: number;
  readonly status: OrderStatus;
  readonly productId: number;
  readonly quantity: number;
  readonly buyerId: number;
  readonly sellerId: number;
  readonly buyersRoot: number;
  readonly sellersRoot: number;
  readonly escrowId: string;
  readonly subtotal: Micros;
  readonly fee: Micros;
  /** The funds that its escrow holds. */
  readonly holds: Funds;
  readonly releaseAt: Date;
  readonly revealed: boolean;
  readonly createdAt: Date;
}

/** Locks in the order of the house: the trees of both parties, then the orders. */
export async function lockOrders(
  db: EntityManager,
  orderIds: readonly number[],
): Promise<LockedOrder[]> {
  const parties: { root_id: number }[] = await db.query(
    `select distinct a.root_id from orders o join agent a on a.id in (o.buyer_id, o.seller_id)
      where o.id = any ($1)`,
    [orderIds],
  );
  await lockTreasuries(
    db,
    parties.map((party) => party.root_id),
  );
  const rows: Row[] = await db.query(
    `select o.*, buyer.root_id as buyers_root, seller.root_id as sellers_root
       from orders o join agent buyer on buyer.id = o.buyer_id
       join agent seller on seller.id = o.seller_id
      where o.id = any ($1) order by o.id for no key update of o`,
    [orderIds],
  );
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    productId: row.product_id,
    quantity: row.quantity,
    buyerId: row.buyer_id,
    sellerId: row.seller_id,
    buyersRoot: row.buyers_root,
    sellersRoot: row.sellers_root,
    escrowId: row.escrow_id,
    subtotal: BigInt(row.subtotal),
    fee: BigInt(row.fee),
    holds: { credit: BigInt(row.credit), cash: BigInt(row.cash) },
    releaseAt: row.release_at,
    revealed: row.revealed_at !== null,
    createdAt: row.created_at,
  }));
}

interface Row {
  id: number;
  status: OrderStatus;
  product_id: number;
  quantity: number;
  buyer_id: number;
  seller_id: number;
  buyers_root: number;
  sellers_root: number;
  escrow_id: string;
  subtotal: string;
  fee: string;
  credit: string;
  cash: string;
  release_at: Date;
  revealed_at: Date | null;
  created_at: Date;
}
