import {
  column,
  namesOf,
  nullable,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../platform/rows.ts';
import type { SealedColumn } from '../platform/secrets.ts';

/** How it is delivered: credentials of a database or of files, a link, or the rows themselves. */
export const TYPES = ['mysql', 'ftp', 'url', 'json'] as const;
export type DatasetType = (typeof TYPES)[number];

/** Of a version: what it delivers is checked once. Of a dataset: active if any version is. */
export const STATUSES = ['checking', 'active', 'failed'] as const;
export type DatasetStatus = (typeof STATUSES)[number];

export const DATASET_COLUMNS = {
  id: column.id,
  seller_id: column.id,
  root_id: column.id,
  title: column.text,
  description: column.text,
  type: oneOf<DatasetType>(),
  /** As it was listed; 0: free. Its product may have another by now. */
  price: column.micros,
  release_hours: column.int,
  /** For how long after a purchase it may be opened; null: for ever. */
  access_days: nullable(column.int),
  /** Null: free, or no version has passed its check. */
  product_id: nullable(column.id),
  /** The one that is delivered; 0: none has passed its check. */
  version: column.int,
  newest: column.int,
};
export type Dataset = Row<typeof DATASET_COLUMNS>;

/** The dataset of this id, whoever may see it. */
export async function findDataset(
  db: Database,
  id: number,
  lock: '' | 'for share' | 'for no key update' = '',
): Promise<Dataset | undefined> {
  const sql = `select ${namesOf(DATASET_COLUMNS)} from dataset where id = $1 ${lock}`;
  return (await rows(db, DATASET_COLUMNS, sql, [id]))[0];
}

/** SQL: whether anyone may see and get the dataset `d`, whose product is `p`. */
export const ON_OFFER = `d.version > 0 and (d.price = 0 or p.status = 'approved' and p.active)`;

/** What a part of a version is sealed for. */
export const partOf = (part: { id: number; version: number; part: number; sellerId: number }) => ({
  table: 'dataset_part',
  column: 'content',
  row: `${part.id}.${part.version}.${part.part}`,
  owner: part.sellerId,
});

export const SEALED_DATASET_PARTS: SealedColumn = {
  table: 'dataset_part',
  column: 'content',
  row: "s.dataset_id || '.' || s.version || '.' || s.part",
  owner: 'd.seller_id',
  join: 'join dataset d on d.id = s.dataset_id',
};
