import type { Tx } from '../../../kernel/tx.ts';
import { column, row, rows } from '../../../platform/rows.ts';
import { contentOf, secretOf } from '../../products/products.ts';
import type { Order } from '../order.ts';

/** Opens the order's own units, or else the content of the version that it bought. */
export async function deliveredItems(
  { db, secrets }: Pick<Tx, 'db' | 'secrets'>,
  order: Pick<Order, 'id' | 'product_id' | 'seller_id' | 'version'>,
): Promise<string[]> {
  const units = await rows(
    db,
    { id: column.id, secret: column.bytes },
    `select id, secret from stock join stock_secret on stock_id = id
      where order_id = $1 order by id`,
    [order.id],
  );
  if (units.length > 0) {
    return units.map(({ id, secret }) =>
      secrets.open(secret, secretOf({ id, sellerId: order.seller_id })),
    );
  }
  const { product_id: id, seller_id: sellerId } = order;
  const { content, version } = await row(
    db,
    { content: column.bytes, version: column.int },
    `select given.content, given.version from product_version bought
       join product_version given
         on (given.product_id, given.version) = (bought.product_id, bought.content_version)
      where bought.product_id = $1 and bought.version = $2`,
    [id, order.version],
  );
  return [secrets.open(content, contentOf({ id, version, sellerId }))];
}
