import type { Micros } from '../../../kernel/money.ts';
import {
  column,
  finder,
  execute,
  nullable,
  oneOf,
  row,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import { freeUnits } from '../purchase/held_units.ts';

/*
 * A quote holds the price, the terms and the units of a purchase for the agent that asked. Its id
 * is that of the order that it becomes, so it can be bought once.
 */

const QUOTE = {
  id: column.id,
  product_id: column.id,
  version: column.int,
  dataset_version: nullable(column.int),
  quantity: column.int,
  unit_price: column.micros,
  status: oneOf<'open' | 'waiting' | 'bought' | 'ended'>(),
  /** Whether units are out of the stock for it. */
  holds: column.boolean,
  /** Whether its time is over, by the clock of the database. */
  is_over: column.boolean,
};
export type Quote = Row<typeof QUOTE>;

/** Finds quotes by a condition and the clauses after it. */
export const findQuotes = finder(
  QUOTE,
  `select id, product_id, version, dataset_version, quantity, unit_price, status, holds,
          expires_at <= now() as is_over
     from quote where`,
);

/** Finds quotes and locks them. */
export const lockQuotes: typeof findQuotes = (db, where, parameters) =>
  findQuotes(db, `${where} for update`, parameters);

/** Ends quotes, and makes their units available again. Products are locked in the given order. */
export async function endQuotes(db: Database, quotes: readonly Quote[]): Promise<void> {
  for (const quote of quotes) {
    if (quote.holds) await freeUnits(db, quote);
    const sql = `update quote set status = 'ended', holds = false, ended_at = now() where id = $1`;
    await execute(db, sql, [quote.id]);
  }
}

/** Total of the open quotes and of the reservations of a tree, which is locked. */
export async function heldBy(db: Database, rootId: number): Promise<Micros> {
  const { held } = await row(
    db,
    { held: column.micros },
    `select (select coalesce(sum(subtotal + fee), 0) from pending_order
              where buyer_root = $1 and reserved_until is not null)::bigint
          + (select coalesce(sum(subtotal + fee), 0) from quote
              where root_id = $1 and status = 'open' and expires_at > now())::bigint as held`,
    [rootId],
  );
  return held;
}
