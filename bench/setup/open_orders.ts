import { column, rows } from '../../shared/platform/rows.ts';
import type { Deployment } from './deployments.ts';
import { addPastOrders } from './past_orders.ts';
import type { Population } from './populate.ts';

/** An order in escrow, and the key of its buyer. */
export interface OpenOrder {
  readonly id: number;
  readonly key: string;
}

/** Makes orders of these products, still in escrow, in no order of buyers or sellers. */
export async function makeOpenOrders(
  deployment: Deployment,
  { buyers, products }: Pick<Population, 'buyers' | 'products'>,
  count: number,
): Promise<OpenOrder[]> {
  const owner = await deployment.admin();
  await addPastOrders(owner, { buyers, products }, { orders: count, areOpen: true });
  const open = await rows(
    owner,
    { id: column.id, buyer_id: column.id },
    `select id, buyer_id from orders
      where status = 'escrow' and product_id = any ($1) and buyer_id = any ($2) order by random()`,
    [products, buyers.map(({ id }) => id)],
  );
  await owner.destroy();
  const keys = new Map(buyers.map(({ id, key }) => [id, key]));
  return open.map(({ id, buyer_id }) => ({ id, key: keys.get(buyer_id)! }));
}
