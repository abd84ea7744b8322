import type { EntityManager } from 'typeorm';

import type { UnitText } from './delivery.ts';
import { openFingerprints } from './fingerprints.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Id, invalid, Nullable, OneOf, Output, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, row, rows } from '../../platform/rows.ts';
import { secretOf, STOCK_KINDS, type Product, type StockKind } from './products.ts';

/** Maximum units ever listed of one product: far below the maximum of PostgreSQL's int. */
export const LISTED_MAX = 1_000_000_000;

/**
 * Maximum units of a serial pool that are counted: no order takes more, and a page of listings must
 * not read millions of index entries.
 */
export const COUNTED_MAX = 1_000;

export const StockView = Output('Stock', {
  product_id: Id('The product.'),
  stock_kind: OneOf(STOCK_KINDS, 'Kind of stock.'),
  available: Nullable(Type.Integer({ description: 'Units that can be sold; null: no limit.' })),
  reserved: Type.Integer({
    description: 'Units kept for purchases that wait for an owner, and for quotes.',
  }),
  sold: Nullable(Type.Integer({ description: 'Units sold; null: not counted.' })),
  listed: Nullable(Type.Integer({ description: 'Units ever listed; null: not counted.' })),
});

/** Counts every unit of a product for its seller: from an index, one product at a time. */
export async function stockOf(db: EntityManager, productId: number) {
  const { stock_kind, listed, available, reserved } = await row(
    db,
    {
      stock_kind: oneOf<StockKind>(),
      listed: nullable(column.int),
      available: nullable(column.int),
      reserved: column.int,
    },
    `select stock_kind, listed,
            case stock_kind when 'serial_pool' then (
              select count(*)::int from stock where product_id = $1 and status = 'available')
            else quantity end as available,
            (select coalesce(sum(quantity), 0)::int from pending_order
              where product_id = $1 and reserved_until is not null)
            + (select coalesce(sum(quantity), 0)::int from quote
                where product_id = $1 and holds) as reserved
       from product where id = $1`,
    [productId],
  );
  const sold = listed === null ? null : listed - available! - reserved;
  return { product_id: productId, stock_kind, available, reserved, sold, listed };
}

/** SQL that counts the units of a serial pool that can be bought, up to COUNTED_MAX. */
export const countUnits = (product: string) => `(select count(*)::int from (
    select from stock where product_id = ${product} and status = 'available'
     limit ${COUNTED_MAX}) unit)`;

/** Adds one unit for each text. Refuses a secret that its seller has listed before. */
export async function insertUnits(
  { db, secrets }: Tx,
  { id: productId, seller_id: sellerId }: Pick<Product, 'id' | 'seller_id'>,
  texts: readonly UnitText[],
): Promise<void> {
  // A seal holds its row's id, so the ids come first.
  const ids = await rows(
    db,
    { id: column.id },
    `select nextval(pg_get_serial_sequence('stock', 'id')) as id from generate_series(1, $1)`,
    [texts.length],
  );
  const fingerprintOf = await openFingerprints(db, secrets, 'stock');
  const units = texts.map(({ text, compared }, n) => ({
    id: ids[n]!.id,
    secret: secrets.seal(text, secretOf({ id: ids[n]!.id, sellerId })),
    fingerprint: fingerprintOf(compared),
  }));
  const inserted = await rows(
    db,
    { id: column.id },
    `with secrets as (
       insert into stock_secret (stock_id, seller_id, secret, fingerprint)
       select id, $2, secret, fingerprint
         from unnest($3::bigint[], $4::bytea[], $5::bytea[]) as unit(id, secret, fingerprint)
        -- In one order, or two calls that add the same secrets deadlock.
        order by fingerprint
       on conflict (seller_id, fingerprint) do nothing returning stock_id)
     insert into stock (id, product_id, seller_id, root_id)
     select stock_id, $1, $2, (select root_id from product where id = $1)
       from secrets order by stock_id returning id`,
    [
      productId,
      sellerId,
      units.map(({ id }) => id),
      units.map(({ secret }) => secret),
      units.map(({ fingerprint }) => fingerprint),
    ],
  );
  const insertedIds = new Set(inserted.map(({ id }) => id));
  const n = units.findIndex(({ id }) => !insertedIds.has(id));
  if (n >= 0) throw invalid([{ pointer: `/items/${n}`, message: 'was listed before' }]);
}
