import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { invalid } from '../../../kernel/schema.ts';
import { column, execute, rows } from '../../../platform/rows.ts';
import type { Dataset } from './dataset.ts';
import { lockOwnDataset } from './own_dataset.ts';

/** The content of the vault of an order: the path to access_dataset. */
export const deliveredBy = ({ id, type }: Pick<Dataset, 'id' | 'type'>): string =>
  JSON.stringify({
    dataset_id: id,
    type,
    access: `GET /api/v1/datasets/${id}/access`,
    tool: 'access_dataset',
  });

/** Refuses contents for the product of a dataset, which delivers the path to the data only. */
export async function refuseContentOfDataset({ db }: Tx, productId: number): Promise<void> {
  const sql = 'select id from dataset where product_id = $1';
  const [dataset] = await rows(db, { id: column.id }, sql, [productId]);
  if (!dataset) return;
  const message = `is that of dataset ${dataset.id}: rotate_dataset renews what it delivers`;
  throw invalid([{ pointer: '/content', message }]);
}

/** Locks the caller's dataset, if it is free until now and can be delivered. */
export async function lockUnsold(tx: Tx, datasetId: number): Promise<Dataset> {
  const dataset = await lockOwnDataset(tx, datasetId);
  const { product_id, price, version } = dataset;
  if (product_id !== null) {
    const message = `It is already sold as product ${product_id}. Change that with update_product.`;
    throw new Refusal('invalid_transition', message, { product_id });
  }
  if (price > 0n || version === 0) {
    const message = 'No version of this dataset has passed its check yet. Retry later.';
    throw new Refusal('invalid_transition', message, { newest: dataset.newest });
  }
  return dataset;
}

/**
 * Starts the sale of a dataset that was free: users of agents that have not paid end now. By the
 * clock and not now(), because access given while this waited for the lock was free too.
 */
export async function recordSale(
  { db }: Tx,
  { id, root_id }: Dataset,
  product: { readonly id: number; readonly price: bigint },
): Promise<void> {
  await execute(
    db,
    'update dataset set product_id = $2, price = $3, sold_at = clock_timestamp() where id = $1',
    [id, product.id, product.price.toString()],
  );
  await execute(
    db,
    `update dataset_grant set ends_at = least(ends_at, now())
      where dataset_id = $1 and order_id is null and root_id <> $2`,
    [id, root_id],
  );
}
