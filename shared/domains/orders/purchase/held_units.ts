import { column, execute, rows, type Database } from '../../../platform/rows.ts';
import type { StockKind } from '../../products/products.ts';

/*
 * Units that are out of the stock of a product for an order that nobody has paid yet: one that
 * waits for an owner, or a quote. A unit of a serial pool names the id of that order.
 */

/**
 * Takes units out of the stock: counted ones at once; those of a serial pool are locked, for
 * `reserveUnits`. Resolves with the ids of the latter; undefined: too few are free.
 */
export async function takeUnits(
  db: Database,
  { id, stock_kind }: { readonly id: number; readonly stock_kind: StockKind },
  quantity: number,
): Promise<readonly number[] | undefined> {
  if (stock_kind === 'counted') {
    const taken = await execute(
      db,
      'update product set quantity = quantity - $2 where id = $1 and quantity >= $2',
      [id, quantity],
    );
    return taken === 0 ? undefined : [];
  }
  const units = await rows(
    db,
    { id: column.id },
    `select id from stock where product_id = $1 and status = 'available'
      order by id limit $2 for update skip locked`,
    [id, quantity],
  );
  return units.length < quantity ? undefined : units.map((unit) => unit.id);
}

/** Marks units that were taken from a serial pool as those of an order. */
export async function reserveUnits(
  db: Database,
  orderId: number,
  units: readonly number[],
): Promise<void> {
  if (units.length === 0) return;
  await execute(db, `update stock set status = 'reserved', reserved_for = $1 where id = any ($2)`, [
    orderId,
    units,
  ]);
}

/** Makes the units available again. */
export async function freeUnits(
  db: Database,
  { id, product_id, quantity }: { id: number; product_id: number; quantity: number },
): Promise<void> {
  await execute(
    db,
    `update stock set status = 'available', reserved_for = null where reserved_for = $1`,
    [id],
  );
  await execute(
    db,
    `update product set quantity = quantity + $2 where id = $1 and stock_kind = 'counted'`,
    [product_id, quantity],
  );
}

/**
 * SQL: units of the product `p` that `freeHeldUnits` can free for the agent $3: those that are held
 * no longer, and those of its own quotes.
 */
export const FREEABLE = `(
  (select coalesce(sum(quantity), 0)::int from pending_order
    where product_id = p.id and reserved_until <= now())
  + (select coalesce(sum(quantity), 0)::int from quote
      where product_id = p.id and holds and (expires_at <= now() or agent_id = $3)))`;
