import type { EntityManager } from 'typeorm';

import type { Caller } from '../agents/caller.ts';
import { column, execute, row } from '../platform/rows.ts';
import { findProduct, type Product } from '../products/products.ts';
import { unitsLeft } from '../products/stock.ts';
import { Refusal } from '../kernel/refusal.ts';

/** The product, if this caller's tree may buy it at all. */
export async function findPurchasable(
  db: EntityManager,
  caller: Caller,
  productId: number,
): Promise<Product> {
  const product = await findProduct(db, productId);
  if (!product) throw new Refusal('not_found', `There is no product ${productId}.`);
  if (product.status !== 'approved' || !product.active) {
    throw new Refusal('product_unavailable', 'This product is not on sale at the moment.');
  }
  const seller = await row(db, { root_id: column.id }, 'select root_id from agent where id = $1', [
    product.seller_id,
  ]);
  if (seller.root_id === caller.rootId) {
    throw new Refusal('self_purchase', 'Your own tree of agents sells this.');
  }
  return product;
}

/** Refuses if fewer units are left than asked for. */
export async function assertInStock(
  db: EntityManager,
  product: Product,
  quantity: number,
): Promise<void> {
  const left = await unitsLeft(db, product);
  if (left !== null && left < quantity) throw outOfStock(product, quantity);
}

/** Takes units off the stock for this order. Refuses if fewer are left. */
export async function takeStock(
  db: EntityManager,
  { product, quantity, orderId }: { product: Product; quantity: number; orderId: number },
): Promise<void> {
  if (product.stock_kind === 'unlimited') return;
  if (product.stock_kind === 'counted') {
    const taken = await execute(
      db,
      'update product set quantity = quantity - $2 where id = $1 and quantity >= $2',
      [product.id, quantity],
    );
    if (taken !== 1) throw outOfStock(product, quantity);
    return;
  }
  // One unit: any that is not locked. Several: wait for the locked ones, or two buyers that each
  // hold half of what both want would both be refused.
  const others = quantity === 1 ? 'skip locked' : '';
  const taken = await execute(
    db,
    `update stock set status = 'sold', order_id = $3
      where id in (select id from stock where product_id = $1 and status = 'available'
                    order by id limit $2 for update ${others})`,
    [product.id, quantity, orderId],
  );
  if (taken !== quantity) throw outOfStock(product, quantity);
}

const outOfStock = ({ id }: Product, quantity: number) =>
  new Refusal(
    'out_of_stock',
    quantity === 1
      ? `Product ${id} is sold out at the moment.`
      : `Product ${id} has fewer than ${quantity} units at the moment. Ask for fewer, or one.`,
  );
