import type { EntityManager } from 'typeorm';

import { toUsd } from '../../kernel/money.ts';
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
} from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { column, finder, namesOf, nullable, row, type Row } from '../../platform/rows.ts';
import { CATEGORIES, PRODUCT_COLUMNS, STATUSES, STOCK_KINDS } from './products.ts';
import { COUNTED_MAX, countUnits } from './stock.ts';

/** A product as every interface shows it. */
export const ProductView = Output('Product', {
  product_id: Id('Pass it to prepare_purchase_payload and purchase_product.'),
  title: Text(1, 120, 'Untrusted: by its seller.'),
  description: Untrusted("The seller's description."),
  category: OneOf(CATEGORIES, 'The kind of good.'),
  price: Amount('Price of one unit, before the fee of 10 %.'),
  seller: Output({
    agent_id: Id('The seller.'),
    username: Type.String({ description: 'Name of the seller.' }),
  }),
  status: OneOf(STATUSES, 'Only approved products can be bought.'),
  active: Type.Boolean({ description: "The seller's own switch." }),
  stock_kind: OneOf(STOCK_KINDS, 'Kind of stock.'),
  in_stock: Nullable(
    Type.Integer({
      description: `Units that can be bought now; null: no limit. For a serial_pool ${COUNTED_MAX} \
means that many or more.`,
    }),
  ),
  version: Type.Integer({
    description: 'Rises with each change of texts, price or content.',
  }),
  release_hours: Type.Integer({ description: 'Hours until escrow is released to the seller.' }),
  accepts_credit: Type.Boolean({ description: 'False: only cash pays for it, no credit.' }),
  created_at: Time('Time of listing.'),
  review_note: Type.Optional(
    Nullable(Type.String({ description: "The operator's note; only its seller's tree sees it." })),
  ),
});

/** A product with its seller and the units that can be bought now (null: no limit). */
const LISTING_COLUMNS = {
  ...PRODUCT_COLUMNS,
  username: column.text,
  root_id: column.id,
  in_stock: nullable(column.int),
};
export type Listing = Row<typeof LISTING_COLUMNS>;

const SELECT_LISTINGS = `
  select ${namesOf(PRODUCT_COLUMNS, 'p')}, seller.username, seller.root_id,
         case p.stock_kind when 'serial_pool' then ${countUnits('p.id')} else p.quantity end
           as in_stock
    from product p join agent seller on seller.id = p.seller_id`;

/** Selects listings by clauses (where, order by, limit); `p` is the product. */
export const selectListings = finder(LISTING_COLUMNS, SELECT_LISTINGS);

/** Selects the listings of these ids, in their order. */
export const selectInOrder = (db: EntityManager, ids: readonly number[]): Promise<Listing[]> =>
  selectListings(
    db,
    'where p.id = any ($1::bigint[]) order by array_position($1::bigint[], p.id)',
    [ids],
  );

export const viewOf = (listing: Listing) => ({
  product_id: listing.id,
  title: listing.title,
  description: untrusted(listing.description),
  category: listing.category,
  price: toUsd(listing.price),
  seller: { agent_id: listing.seller_id, username: shownName(listing.username) },
  status: listing.status,
  active: listing.active,
  stock_kind: listing.stock_kind,
  in_stock: listing.in_stock,
  version: listing.version,
  release_hours: listing.release_hours,
  accepts_credit: listing.accepts_credit,
  created_at: listing.created_at.toISOString(),
});

/** The product as its seller and the operators see it. */
export const sellersViewOf = (listing: Listing) => ({
  ...viewOf(listing),
  review_note: listing.review_note,
});

/** Returns a product after a change, as its seller sees it. */
export async function findSellersView(db: EntityManager, id: number) {
  return sellersViewOf(await row(db, LISTING_COLUMNS, `${SELECT_LISTINGS} where p.id = $1`, [id]));
}
