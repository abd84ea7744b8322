import type { Caller } from '../../../kernel/caller.ts';
import { toUsd, type Micros } from '../../../kernel/money.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../../platform/rows.ts';
import type { Spend } from '../../wallet/policy.ts';
import { priceOf } from '../order.ts';
import { FREEABLE } from './held_units.ts';
import type { Category, Status, StockKind } from '../../products/products.ts';

export const PURCHASABLE = {
  id: column.id,
  seller_id: column.id,
  root_id: column.id,
  category: oneOf<Category>(),
  status: oneOf<Status>(),
  active: column.boolean,
  price: column.micros,
  accepts_credit: column.boolean,
  stock_kind: oneOf<StockKind>(),
  version: column.int,
  /** Units of a serial_pool, counted up to the requested quantity; null: no limit. */
  in_stock: nullable(column.int),
};
/** A product that the caller may buy. */
export type Purchasable = Row<typeof PURCHASABLE>;

/** SQL: `in_stock` of the product `p`, for $2 units and the agent $3. */
export const IN_STOCK = `
  case p.stock_kind when 'serial_pool' then (
    select count(*) from (select from stock where product_id = p.id
      and status = 'available' limit $2) unit)
  else p.quantity end + ${FREEABLE} as in_stock`;

/** Finds the product. Refuses if it is not on sale, or if the caller's own tree sells it. */
export async function findPurchasable(
  db: Database,
  caller: Caller,
  { productId, quantity }: { productId: number; quantity: number },
): Promise<Purchasable> {
  const [product] = await rows(
    db,
    PURCHASABLE,
    `select p.id, p.seller_id, p.root_id, p.category, p.status, p.active, p.price,
            p.accepts_credit, p.stock_kind, p.version, ${IN_STOCK}
       from product p where p.id = $1`,
    [productId, quantity, caller.agentId],
  );
  if (!product) throw new Refusal('not_found', `There is no product ${productId}.`);
  if (product.status !== 'approved' || !product.active) {
    throw new Refusal('product_unavailable', 'This product is not on sale at the moment.');
  }
  if (product.root_id === caller.rootId) {
    throw new Refusal('self_purchase', 'Your own tree of agents sells this.');
  }
  return product;
}

/** The spend that policies judge when this number of units is bought. */
export const spendOn = (
  { id, seller_id, category, price }: Purchasable,
  quantity: number,
): Spend => ({
  amount: priceOf(price, quantity).total,
  productType: category,
  productId: id,
  sellerId: seller_id,
  quantity,
});

/** Refuses if fewer units are left than asked for. */
export function assertInStock({ id, in_stock }: Purchasable, quantity: number): void {
  if (in_stock !== null && in_stock < quantity) throw outOfStock(id, quantity);
}

export const priceChanged = (total: Micros, maxTotal: Micros) =>
  new Refusal(
    'price_changed',
    `This costs $${toUsd(total)} now, more than your max_total_due of $${toUsd(maxTotal)}.`,
    { total_due: toUsd(total), max_total_due: toUsd(maxTotal) },
  );

export const outOfStock = (productId: number, quantity: number) =>
  new Refusal(
    'out_of_stock',
    quantity === 1
      ? `Product ${productId} is sold out at the moment.`
      : `Product ${productId} has fewer than ${quantity} units at the moment. ` +
          'Ask for fewer, or one.',
  );

/**
 * Waits for units that other transactions hold. A purchase skips those; without this wait, two
 * buyers of several units could each hold half and both be refused.
 */
export async function lockUnits(
  { db }: { readonly db: Database },
  { id }: Purchasable,
  quantity: number,
): Promise<void> {
  const units = await rows(
    db,
    { id: column.id },
    `select id from stock where product_id = $1 and status = 'available'
      order by id limit $2 for update`,
    [id, quantity],
  );
  if (units.length < quantity) throw outOfStock(id, quantity);
}
