import { Id, Nullable, OneOf, Output, Type } from '../../../kernel/schema.ts';
import { column, execute, nullable, type Database, type Row } from '../../../platform/rows.ts';
import { TYPES } from './dataset.ts';
import { ACCESS, ACCESS_COLUMNS, accessOf, AccessView } from './access.ts';

/** The version of a dataset that an order bought. */
export const SoldDatasetView = Output('SoldDataset', {
  dataset_id: Id('The dataset.'),
  type: OneOf(TYPES, 'Its type.'),
  version: Type.Integer({ description: 'The version bought.' }),
  sha256: Nullable(
    Type.String({
      description: 'SHA-256 of the file, or of all rows as one JSON list; null: unknown.',
    }),
  ),
  access: AccessView,
});

/** The columns of what was sold, for `left join dataset_sale`: null for other orders. */
export const SOLD = {
  dataset_id: nullable(column.id),
  dataset_version: nullable(column.int),
  dataset_sha256: nullable(column.text),
  ...ACCESS,
};
export const SOLD_COLUMNS = `
  dataset_sale.dataset_id, dataset_sale.version as dataset_version,
  dataset_sale.sha256 as dataset_sha256, ${ACCESS_COLUMNS}`;

/** The version as a SoldDatasetView; undefined: the order is not of a dataset. */
export const soldOf = (order: Row<typeof SOLD> & { readonly status: string }, now: Date) =>
  order.dataset_id === null
    ? undefined
    : {
        dataset_id: order.dataset_id,
        type: order.dataset_type!,
        version: order.dataset_version!,
        sha256: order.dataset_sha256,
        access: accessOf(order, now),
      };

/** Versions deleted in one transaction: each may have 16 MB of rows. */
const VERSIONS_MAX = 50;

/**
 * Deletes what replaced versions of datasets on sale delivered and nobody needs any more. Returns
 * how many, and whether there may be more.
 */
export async function forgetReplaced(
  db: Database,
): Promise<{ forgotten: number; isFull: boolean }> {
  const forgotten = await execute(
    db,
    `with needless as materialized (
       select dataset_id, version from dataset_version
        where superseded_at is not null and not dataset_version_stays(dataset_id, version)
        limit $1 for no key update skip locked),
     gone as ( -- but for what the trigger keeps_sold_parts keeps
       delete from dataset_part p using needless n
        where (p.dataset_id, p.version) = (n.dataset_id, n.version)
       returning p.dataset_id, p.version)
     update dataset_version v set superseded_at = null
       from (select distinct dataset_id, version from gone) n
      where (v.dataset_id, v.version) = (n.dataset_id, n.version)`,
    [VERSIONS_MAX],
  );
  return { forgotten, isFull: forgotten === VERSIONS_MAX };
}
