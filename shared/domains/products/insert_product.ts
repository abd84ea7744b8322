import type { Tx } from '../../kernel/tx.ts';
import type { Micros } from '../../kernel/money.ts';
import { namesOf, row } from '../../platform/rows.ts';
import { PRODUCT_COLUMNS, type Category, type Product, type StockKind } from './products.ts';
import { recordWords } from './search/spelling.ts';
import { statusOf } from './selling.ts';
import { insertVersion } from './versions.ts';

/** A product to be put on sale, with checked values. */
interface Listing {
  readonly sellerId: number;
  readonly rootId: number;
  readonly title: string;
  readonly description: string;
  readonly category: Category;
  /** Price of one unit. */
  readonly price: Micros;
  readonly stockKind: StockKind;
  /** Units left of a counted product. */
  readonly quantity: number | null;
  /** Units listed; null: no limit. */
  readonly listed: number | null;
  readonly active: boolean;
  readonly releaseHours: number;
  readonly acceptsCredit: boolean;
}

/** Inserts a product with its first version, which delivers `content` or units of stock. */
export async function insertProduct(
  tx: Tx,
  listing: Listing,
  content: string | null,
): Promise<Product> {
  const product = await row(
    tx.db,
    PRODUCT_COLUMNS,
    `insert into product (seller_id, root_id, title, description, category, price, stock_kind,
                          quantity, listed, status, active, release_hours, accepts_credit,
                          seller_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
             (select username from agent where id = $1))
     returning ${namesOf(PRODUCT_COLUMNS)}`,
    [
      listing.sellerId,
      listing.rootId,
      listing.title,
      listing.description,
      listing.category,
      listing.price.toString(),
      listing.stockKind,
      listing.quantity,
      listing.listed,
      statusOf(tx.config),
      listing.active,
      listing.releaseHours,
      listing.acceptsCredit,
    ],
  );
  await insertVersion(tx, product, content);
  await recordWords(tx.db, product.title);
  return product;
}
