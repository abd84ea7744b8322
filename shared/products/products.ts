import { EntitySchema, type EntityManager } from 'typeorm';

import { microsColumn } from '../ledger/micros_column.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
} from '../kernel/schema.ts';
import { untrusted } from '../kernel/text.ts';

export const CATEGORIES = [
  'serial_key',
  'api_service',
  'proxy_service',
  'mcp_server',
  'smart_contract',
  'dataset',
] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * serial_pool: one secret a unit, sold once. counted: so many of one content. unlimited: no end.
 */
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

export interface Product {
  id: number;
  sellerId: number;
  title: string;
  description: string;
  category: Category;
  price: Micros;
  stockKind: StockKind;
  /** What is left of a counted product; null for the other kinds. */
  quantity: number | null;
  /** Units ever put up; null where they are unlimited. */
  listed: number | null;
  status: Status;
  reviewNote: string | null;
  /** The seller's own switch. Only approved and active products can be bought. */
  active: boolean;
  version: number;
  releaseHours: number;
  createdAt: Date;
  updatedAt: Date;
}

export const Products = new EntitySchema<Product>({
  name: 'product',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    sellerId: { name: 'seller_id', type: 'int' },
    title: { type: 'text' },
    description: { type: 'text' },
    category: { type: 'text' },
    price: microsColumn,
    stockKind: { name: 'stock_kind', type: 'text' },
    quantity: { type: 'int', nullable: true },
    listed: { type: 'int', nullable: true },
    status: { type: 'text' },
    reviewNote: { name: 'review_note', type: 'text', nullable: true },
    active: { type: 'boolean' },
    version: { type: 'int' },
    releaseHours: { name: 'release_hours', type: 'int' },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true },
  },
});

/** What anyone may see and buy. */
export const ON_SALE = `p.status = 'approved' and p.active`;

/**
 * A serial pool's units are counted up to here: no order takes more, and a page of listings must
 * not walk through millions of index entries.
 */
const COUNTED_MAX = 1_000;

/** A product as every door shows it. */
export const ProductView = Output({
  product_id: Id('Pass it to prepare_purchase_payload and purchase_product.'),
  title: Text(1, 120, 'Chosen by the seller.'),
  description: Untrusted('What the seller says it is.'),
  category: OneOf(CATEGORIES, 'What kind of good it is.'),
  price: Amount('Of one unit, before the fee of 10 %.'),
  seller: Output({
    agent_id: Id('The seller.'),
    username: Type.String({ description: 'Its name.' }),
  }),
  status: OneOf(STATUSES, 'Only approved products can be bought.'),
  active: Type.Boolean({ description: "The seller's own switch." }),
  stock_kind: OneOf(STOCK_KINDS, 'How it is counted.'),
  in_stock: Nullable(
    Type.Integer({
      description: `Units that can be bought now; null: no limit. Of a serial_pool, ${COUNTED_MAX} \
means that many or more.`,
    }),
  ),
  version: Type.Integer({
    description: 'Rises with each change of what is said, asked or delivered.',
  }),
  release_hours: Type.Integer({ description: 'Hours until escrow is released to the seller.' }),
  created_at: Time('When it was listed.'),
  review_note: Type.Optional(
    Nullable(Type.String({ description: "The operator's note; only its seller's tree sees it." })),
  ),
});

const unitsOf = (product: string) => `(select count(*)::int from (
    select from stock where product_id = ${product} and status = 'available'
     limit ${COUNTED_MAX}) unit)`;

/** Selects ProductRows; add `where` and `order by`. `p` is the product, `seller` its agent. */
export const SELECT_PRODUCTS = `
  select p.id, p.title, p.description, p.category, p.price, p.seller_id, seller.username,
         seller.root_id, p.status, p.active, p.stock_kind, p.version, p.release_hours, p.created_at,
         p.review_note,
         case p.stock_kind when 'serial_pool' then ${unitsOf('p.id')} else p.quantity end
           as in_stock
    from product p join agent seller on seller.id = p.seller_id`;

export interface ProductRow {
  id: number;
  title: string;
  description: string;
  category: Category;
  price: string;
  seller_id: number;
  username: string;
  root_id: number;
  status: Status;
  active: boolean;
  stock_kind: StockKind;
  version: number;
  release_hours: number;
  created_at: Date;
  review_note: string | null;
  in_stock: number | null;
}

export const viewOf = (row: ProductRow) => ({
  product_id: row.id,
  title: row.title,
  description: untrusted(row.description),
  category: row.category,
  price: toUsd(BigInt(row.price)),
  seller: { agent_id: row.seller_id, username: row.username },
  status: row.status,
  active: row.active,
  stock_kind: row.stock_kind,
  in_stock: row.in_stock,
  version: row.version,
  release_hours: row.release_hours,
  created_at: row.created_at.toISOString(),
});

/** As its seller and the operators see it. */
export const sellersViewOf = (row: ProductRow) => ({
  ...viewOf(row),
  review_note: row.review_note,
});

/** What a change of a product answers: the product as it now is. */
export async function findSellersView(db: EntityManager, id: number) {
  const [row] = await db.query(`${SELECT_PRODUCTS} where p.id = $1`, [id]);
  return sellersViewOf(row);
}

export const ReleaseHours = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: 'Hours after which escrow is released to you, if the buyer is silent.',
});

/** Where a product's content is sealed. */
export const contentOf = (product: { id: number; version: number; sellerId: number }) => ({
  table: 'product_version',
  column: 'content',
  row: `${product.id}.${product.version}`,
  owner: product.sellerId,
});

/** Where a unit's secret is sealed. */
export const secretOf = (unit: { id: string | number; sellerId: number }) => ({
  table: 'stock',
  column: 'secret',
  row: unit.id,
  owner: unit.sellerId,
});

/** How many units can be bought now, counted as far as an order can reach; null: no limit. */
export async function unitsLeft(db: EntityManager, product: Product): Promise<number | null> {
  if (product.stockKind !== 'serial_pool') return product.quantity;
  const [{ n }] = await db.query(`select ${unitsOf('$1')} as n`, [product.id]);
  return n;
}
