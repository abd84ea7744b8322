import type { Tx } from '../../kernel/tx.ts';
import { execute } from '../../platform/rows.ts';
import { contentOf, type Product } from './products.ts';

type ProductVersion = Pick<Product, 'id' | 'version' | 'seller_id' | 'title' | 'price'>;

/**
 * Records the price and the content of a product's version. Without `content` it delivers the
 * content of the version before, or units of stock. The version before is superseded from now on.
 */
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
    `with before as (
       update product_version set superseded_at = now() where product_id = $1 and version = $2 - 1)
     insert into product_version (product_id, version, title, price, content, content_version)
     values ($1, $2, $3, $4, $5, case when $5::bytea is not null then $2 else (
       select content_version from product_version
        where product_id = $1 and version = $2 - 1) end)`,
    [id, version, title, price.toString(), sealed],
  );
}
