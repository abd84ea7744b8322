import type { Tx } from '../kernel/operation.ts';
import { execute } from '../platform/rows.ts';
import { contentOf, type Product } from './products.ts';

type ProductVersion = Pick<Product, 'id' | 'version' | 'seller_id' | 'title' | 'price'>;

/**
 * Records what the product's version costs and delivers. Without `content` it delivers what the
 * version before it delivers, or units of stock. The version before it is superseded from now on.
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
