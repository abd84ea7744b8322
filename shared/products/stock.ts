import type { EntityManager } from 'typeorm';

import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, invalid, Nullable, OneOf, Output, Text, Type } from '../kernel/schema.ts';
import { contentOf, secretOf, STOCK_KINDS, type Product } from './products.ts';

const ITEM_BYTES_MAX = 8 * 1024;
const CONTENT_BYTES_MAX = 64 * 1024;
/** Units ever put up of one product: far below what PostgreSQL's int can hold. */
export const LISTED_MAX = 1_000_000_000;

const Secret = (bytesMax: number, description: string) =>
  Type.Union([Text(1, bytesMax, 'As it is delivered.'), Type.Object({}, { minProperties: 1 })], {
    description,
  });

export const Items = Type.Array(Secret(ITEM_BYTES_MAX, 'One unit: a string or an object.'), {
  minItems: 1,
  maxItems: 1000,
  description:
    'For serial_pool: one secret a unit, each delivered to one buyer. At most 8 kB each; no ' +
    'secret twice.',
});
export const Content = Secret(
  CONTENT_BYTES_MAX,
  'For counted and unlimited: what every buyer gets, a string or an object of at most 64 kB.',
);
export const Units = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'For counted.' });

export const StockView = Output({
  product_id: Id('The product.'),
  stock_kind: OneOf(STOCK_KINDS, 'How it is counted.'),
  available: Nullable(Type.Integer({ description: 'Units that can be sold; null: no limit.' })),
  sold: Nullable(Type.Integer({ description: 'Units that are gone; null: not counted.' })),
  listed: Nullable(Type.Integer({ description: 'Units put up so far; null: not counted.' })),
});

/** A seller's own stock, every unit counted: from an index, and for one product at a time. */
export async function stockOf(db: EntityManager, productId: number) {
  const [row] = await db.query(
    `select stock_kind, listed,
            case stock_kind when 'serial_pool' then (
              select count(*)::int from stock where product_id = $1 and status = 'available')
            else quantity end as available
       from product where id = $1`,
    [productId],
  );
  const { stock_kind, listed, available } = row;
  const sold = listed === null ? null : listed - available;
  return { product_id: productId, stock_kind, available, sold, listed };
}

/** What `content` is sealed and delivered as. */
export function contentText(content: string | object): string {
  const text = textOf(content);
  refuseLonger(text, CONTENT_BYTES_MAX, '/content');
  return text;
}

/** What each of `items` is sealed and delivered as. */
export function itemTexts(items: readonly (string | object)[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item, n) => {
    const text = textOf(item);
    refuseLonger(text, ITEM_BYTES_MAX, `/items/${n}`);
    const first = seen.get(text);
    if (first !== undefined) throw repeated(n, `is the same as /items/${first}`);
    seen.set(text, n);
    return text;
  });
}

/** Writes what the product's version costs and delivers. */
export async function writeVersion(
  { db, secrets }: Tx,
  product: Pick<Product, 'id' | 'version' | 'sellerId' | 'title' | 'price'>,
  content: string | null,
): Promise<void> {
  await db.query(
    `insert into product_version (product_id, version, title, price, content)
     values ($1, $2, $3, $4, $5)`,
    [
      product.id,
      product.version,
      product.title,
      product.price.toString(),
      content === null ? null : secrets.seal(content, contentOf(product)),
    ],
  );
}

/**
 * The content of the product's version, for the next version's row and nobody's eyes: a seal holds
 * its row's identity, so what moves must be sealed again.
 */
export async function openContent({ db, secrets }: Tx, product: Product): Promise<string | null> {
  const [{ content }] = await db.query(
    `select content from product_version where product_id = $1 and version = $2`,
    [product.id, product.version],
  );
  return content && secrets.open(content, contentOf(product));
}

/** Puts up one unit for each text. */
export async function putUp(
  { db, secrets }: Tx,
  product: { id: number; sellerId: number },
  texts: readonly string[],
): Promise<void> {
  // A seal holds its row's id, so the ids come first.
  const ids: { id: string }[] = await db.query(
    `select nextval(pg_get_serial_sequence('stock', 'id')) as id from generate_series(1, $1)`,
    [texts.length],
  );
  const units = texts.map((text, n) => ({
    id: ids[n]!.id,
    secret: secrets.seal(text, secretOf({ id: ids[n]!.id, sellerId: product.sellerId })),
    fingerprint: secrets.hash('stock-fingerprint', text).hash,
  }));
  const added: { id: string }[] = await db.query(
    `insert into stock (id, product_id, seller_id, secret, fingerprint)
     select id, $1, $2, secret, fingerprint
       from unnest($3::bigint[], $4::bytea[], $5::bytea[]) as unit(id, secret, fingerprint)
      -- In one order, or two calls that put up the same secrets deadlock.
      order by fingerprint
     on conflict (seller_id, fingerprint) do nothing returning id`,
    [
      product.id,
      product.sellerId,
      units.map(({ id }) => id),
      units.map(({ secret }) => secret),
      units.map(({ fingerprint }) => fingerprint),
    ],
  );
  const known = new Set(added.map(({ id }) => id));
  const n = units.findIndex(({ id }) => !known.has(id));
  if (n >= 0) throw repeated(n, 'was put up before');
}

function refuseLonger(text: string, bytesMax: number, pointer: string): void {
  if (Buffer.byteLength(text) <= bytesMax) return;
  throw invalid([{ pointer, message: `is longer than ${bytesMax} bytes` }]);
}

function repeated(n: number, message: string): Refusal {
  return invalid([{ pointer: `/items/${n}`, message }]);
}

/** An object is the same secret however its fields were ordered. */
function textOf(value: string | object): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
