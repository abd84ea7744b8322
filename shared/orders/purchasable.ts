import type { EntityManager } from 'typeorm';

import type { Caller } from '../agents/caller.ts';
import { Products, unitsLeft, type Product } from '../products/products.ts';
import { Refusal } from '../kernel/refusal.ts';

/** The product, if this caller's tree may buy it at all. */
export async function findPurchasable(
  db: EntityManager,
  caller: Caller,
  productId: number,
): Promise<Product> {
  const product = await db.findOneBy(Products, { id: productId });
  if (!product) throw new Refusal('not_found', `There is no product ${productId}.`);
  if (product.status !== 'approved' || !product.active) {
    throw new Refusal('product_unavailable', 'This product is not on sale at the moment.');
  }
  const [{ root_id: sellersRoot }] = await db.query('select root_id from agent where id = $1', [
    product.sellerId,
  ]);
  if (sellersRoot === caller.rootId) {
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
  if (product.stockKind === 'unlimited') return;
  if (product.stockKind === 'counted') {
    const [, taken] = await db.query(
      'update product set quantity = quantity - $2 where id = $1 and quantity >= $2',
      [product.id, quantity],
    );
    if (taken !== 1) throw outOfStock(product, quantity);
    return;
  }
  // One unit: whichever nobody else has in hand. Several: wait for those in hand, or two buyers who
  // each hold half of what both want would both go away with nothing.
  const others = quantity === 1 ? 'skip locked' : '';
  const [, taken] = await db.query(
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
