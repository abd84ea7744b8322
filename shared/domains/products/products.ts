import type { EntityManager } from 'typeorm';

import { column, namesOf, nullable, oneOf, rows, type Row } from '../../platform/rows.ts';
import type { SealedColumn } from '../../platform/secrets.ts';

export const CATEGORIES = [
  'serial_key',
  'api_service',
  'proxy_service',
  'mcp_server',
  'smart_contract',
  'dataset',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** serial_pool: one secret a unit, sold once. counted: a number of units. unlimited: any number. */
export const STOCK_KINDS = ['serial_pool', 'counted', 'unlimited'] as const;
export type StockKind = (typeof STOCK_KINDS)[number];

export const STATUSES = [
  'draft',
  'pending_review',
  'approved',
  'rejected',
  'suspended',
  'archived',
] as const;
export type Status = (typeof STATUSES)[number];

export const PRODUCT_COLUMNS = {
  id: column.id,
  seller_id: column.id,
  title: column.text,
  description: column.text,
  category: oneOf<Category>(),
  /** Price of one unit. */
  price: column.micros,
  stock_kind: oneOf<StockKind>(),
  /** Units left of a counted product; null for the other kinds. */
  quantity: nullable(column.int),
  status: oneOf<Status>(),
  review_note: nullable(column.text),
  /** The seller's own switch. Only approved and active products can be bought. */
  active: column.boolean,
  version: column.int,
  release_hours: column.int,
  /** False: only cash pays for it. */
  accepts_credit: column.boolean,
  created_at: column.time,
};
export type Product = Row<typeof PRODUCT_COLUMNS>;

/** SQL: whether anyone may see and buy the product `p`. */
export const ON_SALE = `p.status = 'approved' and p.active`;

/** Finds the product of this id, in any status. */
export async function findProduct(db: EntityManager, id: number): Promise<Product | undefined> {
  const sql = `select ${namesOf(PRODUCT_COLUMNS)} from product where id = $1`;
  const [product] = await rows(db, PRODUCT_COLUMNS, sql, [id]);
  return product;
}

/** The row that the content of a version is sealed for. */
export const contentOf = (version: { id: number; version: number; sellerId: number }) => ({
  table: 'product_version',
  column: 'content',
  row: `${version.id}.${version.version}`,
  owner: version.sellerId,
});

export const SEALED_CONTENT: SealedColumn = {
  table: 'product_version',
  column: 'content',
  row: "s.product_id || '.' || s.version",
  owner: 'p.seller_id',
  join: 'join product p on p.id = s.product_id',
};

/** The row that the secret of a unit is sealed for. */
export const secretOf = (unit: { id: string | number; sellerId: number }) => ({
  table: 'stock_secret',
  column: 'secret',
  row: unit.id,
  owner: unit.sellerId,
});

export const SEALED_SECRETS: SealedColumn = {
  table: 'stock_secret',
  column: 'secret',
  row: 's.stock_id::text',
  owner: 's.seller_id',
};
