import {
  column,
  execute,
  namesOf,
  nullable,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import type { SealedColumn } from '../../../platform/secrets.ts';

/** Delivery types: credentials of a database or FTP server, a link, or the rows themselves. */
export const TYPES = ['mysql', 'ftp', 'url', 'json'] as const;
export type DatasetType = (typeof TYPES)[number];

/** Status of a version, whose delivery is checked once. A dataset is active if any version is. */
export const STATUSES = ['checking', 'active', 'failed'] as const;
export type DatasetStatus = (typeof STATUSES)[number];

export const DATASET_COLUMNS = {
  id: column.id,
  seller_id: column.id,
  root_id: column.id,
  title: column.text,
  description: column.text,
  type: oneOf<DatasetType>(),
  /** Price when listed; 0: free. The price of its product may have changed since. */
  price: column.micros,
  release_hours: column.int,
  /** Days of access after a purchase; null: unlimited. */
  access_days: nullable(column.int),
  /** Null: free, or no version has passed its check. */
  product_id: nullable(column.id),
  /** The delivered version; 0: none has passed its check. */
  version: column.int,
  newest: column.int,
  licence: nullable(column.text),
  /** First rows that everybody sees; null: not even the columns. */
  preview_rows: nullable(column.int),
};
export type Dataset = Row<typeof DATASET_COLUMNS>;

/** The dataset of this id, without a check of access. */
export async function findDataset(
  db: Database,
  id: number,
  lock: '' | 'for share' | 'for no key update' = '',
): Promise<Dataset | undefined> {
  if (lock !== '') await queueFor(db, id, lock);
  const sql = `select ${namesOf(DATASET_COLUMNS)} from dataset where id = $1 ${lock}`;
  return (await rows(db, DATASET_COLUMNS, sql, [id]))[0];
}

/**
 * Waits for its turn to lock a dataset. A lock of a row lets readers pass a writer that waits, so
 * that a few of them in a loop would keep the seller out; an advisory lock lets nobody pass.
 */
async function queueFor(db: Database, id: number, lock: string): Promise<void> {
  const queue = lock === 'for share' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await execute(db, `select ${queue}(hashtextextended('dataset', $1))`, [id]);
}

/** SQL: whether the dataset `d` is offered to everyone; `p` is its product. */
export const ON_OFFER = `d.version > 0 and (d.price = 0 or p.status = 'approved' and p.active)`;

/** The location that a part of a version is sealed for. */
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
