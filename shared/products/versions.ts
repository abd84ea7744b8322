import type { Tx } from '../kernel/operation.ts';
import { column, execute, nullable, row } from '../platform/rows.ts';
import { contentOf, type Product } from './products.ts';

type ProductVersion = Pick<Product, 'id' | 'version' | 'seller_id' | 'title' | 'price'>;

/** Records what the product's version costs and delivers. `content` is null for a serial_pool. */
export async function insertVersion(
  { db, secrets }: Tx,
  product: ProductVersion,
  content: string | null,
): Promise<void> {
  const { id, version, title, price, seller_id: sellerId } = product;
  const sealed =
    content === null ? null : secrets.seal(content, contentOf({ id, version, sellerId }));
  await execute(
    db,
    `insert into product_version (product_id, version, title, price, content)
     values ($1, $2, $3, $4, $5)`,
    [id, version, title, price.toString(), sealed],
  );
}

/**
 * The content of the product's version, for the row of its next version only: a seal holds its
 * row's identity, so content that moves must be sealed again.
 */
export async function openContent({ db, secrets }: Tx, product: Product): Promise<string | null> {
  const { id, version, seller_id: sellerId } = product;
  const { content } = await row(
    db,
    { content: nullable(column.bytes) },
    'select content from product_version where product_id = $1 and version = $2',
    [id, version],
  );
  return content === null ? null : secrets.open(content, contentOf({ id, version, sellerId }));
}
