import type { Database } from '../../../platform/rows.ts';
import { reserveUnits, takeUnits } from './held_units.ts';
import { lockUnits, outOfStock, type Purchasable } from './purchasable.ts';

/** Takes the units of an order from the stock. Refuses if others have bought them a moment ago. */
export async function reserve(
  db: Database,
  product: Purchasable,
  { id, quantity }: { readonly id: number; readonly quantity: number },
): Promise<void> {
  let units = await takeUnits(db, product, quantity);
  if (!units && product.stock_kind === 'serial_pool') {
    // Other transactions hold some units, and may give them back.
    await lockUnits({ db }, product, quantity);
    units = await takeUnits(db, product, quantity);
  }
  if (!units) throw outOfStock(product.id, quantity);
  await reserveUnits(db, id, units);
}
