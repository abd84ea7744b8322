import { createHash } from 'node:crypto';

import { assertStorage } from '../agents/limits/storage.ts';
import { emit } from '../events/events.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, rows, type Database } from '../../platform/rows.ts';
import { insertProduct } from '../products/insert_product.ts';
import { partOf, type Dataset, type DatasetStatus } from '../products/dataset/dataset.ts';
import type { Delivery } from './delivery.ts';
import type { DatasetRow } from './files/columns.ts';
import { previewOf } from './files/preview.ts';
import { deliveredBy } from '../products/dataset/sale.ts';
import { takeUpload, type RowsSize } from './uploads.ts';

type Version = Pick<Dataset, 'id' | 'newest' | 'seller_id' | 'price' | 'preview_rows'>;

/** Facts that the check of a version found about its delivery. */
export interface VersionFacts {
  readonly row_count?: number | null;
  readonly size_bytes?: number | null;
  readonly sha256?: string | null;
  readonly content_type?: string | null;
  /** Advice to the seller. */
  readonly warning?: string;
}

/** Records the newest version. Returns the size and hash of rows, which need no check. */
export async function insertVersion(
  tx: Tx,
  dataset: Version,
  delivery: Delivery,
): Promise<(RowsSize & { sha256: string }) | undefined> {
  const sql = `insert into dataset_version (dataset_id, version, status) values ($1, $2, $3)`;
  await execute(tx.db, sql, [dataset.id, dataset.newest, 'checking']);
  const hash = createHash('sha256').update('[');
  const sha256 = () => hash.copy().update(']').digest('hex');
  const insert = async (text: string, part: number) => {
    hash.update(part === 0 ? text : `,${text}`);
    if (part === 0) await insertPreview(tx, dataset, text);
    return insertPart(tx, dataset, { text, part, sha256: sha256() });
  };
  if ('uploadId' in delivery) {
    const size = await takeUpload(tx, delivery.uploadId, insert);
    return { ...size, sha256: sha256() };
  }
  if (!delivery.rows) {
    // Its hash would be of a password, which could be guessed by it.
    await insertPart(tx, dataset, { text: delivery.text, part: 0, sha256: null });
    return undefined;
  }
  await assertStorage(tx, delivery.rows.size_bytes);
  await insert(delivery.text, 0);
  return { ...delivery.rows, sha256: sha256() };
}

/** Records what everybody sees of the rows of the first part, if the seller wants that. */
async function insertPreview(
  { db }: Tx,
  { id, newest: version, preview_rows: count }: Version,
  text: string,
): Promise<void> {
  if (count === null) return;
  const preview = previewOf(JSON.parse(`[${text}]`) as DatasetRow[], count);
  const sql = 'update dataset_version set preview = $3 where dataset_id = $1 and version = $2';
  await execute(db, sql, [id, version, JSON.stringify(preview)]);
}

async function insertPart(
  { db, secrets }: Tx,
  { id, newest: version, seller_id: sellerId }: Version,
  { text, part, sha256 }: { text: string; part: number; sha256: string | null },
): Promise<void> {
  const sql = `insert into dataset_part (dataset_id, version, part, content, sha256)
               values ($1, $2, $3, $4, $5)`;
  const content = secrets.seal(text, partOf({ id, version, part, sellerId }));
  await execute(db, sql, [id, version, part, content, sha256]);
}

/** One part of the delivery of a version, decrypted; undefined: there is no such part. */
export async function openPart(
  { db, secrets }: { readonly db: Database } & Pick<Tx, 'secrets'>,
  { id, seller_id: sellerId }: Pick<Dataset, 'id' | 'seller_id'>,
  { version, part = 0 }: { version: number; part?: number },
): Promise<string | undefined> {
  const [found] = await rows(
    db,
    { content: column.bytes },
    'select content from dataset_part where dataset_id = $1 and version = $2 and part = $3',
    [id, version, part],
  );
  return found && secrets.open(found.content, partOf({ id, version, part, sellerId }));
}

/**
 * Makes this version the delivered one of the locked dataset. Earlier deliveries are deleted at
 * once, or by the timer forget_old_versions if they may have been sold. The first version puts the
 * dataset on sale.
 */
export async function activate(
  tx: Tx,
  dataset: Dataset,
  { version, ...facts }: VersionFacts & { version: number },
): Promise<void> {
  const { db } = tx;
  await execute(
    db,
    `update dataset_version set status = 'active', checked_at = now(), row_count = $3,
            size_bytes = $4, sha256 = $5, content_type = $6, warning = $7
      where dataset_id = $1 and version = $2`,
    [
      dataset.id,
      version,
      facts.row_count ?? null,
      facts.size_bytes ?? null,
      facts.sha256 ?? null,
      facts.content_type ?? null,
      facts.warning ?? null,
    ],
  );
  const productId = dataset.product_id ?? (await putOnSale(tx, dataset));
  await execute(
    db,
    `update dataset set version = $2, product_id = $3,
            sold_at = case when $3::bigint is not null then coalesce(sold_at, now()) end
      where id = $1`,
    [dataset.id, version, productId],
  );
  if (productId === null) {
    await execute(db, 'delete from dataset_part where dataset_id = $1 and version < $2', [
      dataset.id,
      version,
    ]);
  }
  await notifySeller(tx, dataset, { version, status: 'active' });
}

/** Marks a version as failed, and deletes its delivery. */
export async function fail(
  tx: Tx,
  dataset: Dataset,
  { version, fault }: { version: number; fault: string },
): Promise<void> {
  await execute(
    tx.db,
    `update dataset_version set status = 'failed', checked_at = now(), fault = $3
      where dataset_id = $1 and version = $2`,
    [dataset.id, version, fault],
  );
  await execute(tx.db, 'delete from dataset_part where dataset_id = $1 and version = $2', [
    dataset.id,
    version,
  ]);
  await notifySeller(tx, dataset, { version, status: 'failed' });
}

const notifySeller = (
  { db }: Tx,
  { id, seller_id: agentId }: Dataset,
  { version, status }: { version: number; status: Exclude<DatasetStatus, 'checking'> },
) =>
  emit(db, [
    {
      agentId,
      type: `dataset.${status}`,
      object: { kind: 'dataset', id, status },
      data: { dataset_id: id, version },
    },
  ]);

/** Creates the product of a dataset and returns its id; null: the dataset is free. */
async function putOnSale(tx: Tx, dataset: Dataset): Promise<number | null> {
  if (dataset.price === 0n) return null;
  const product = await insertProduct(
    tx,
    {
      sellerId: dataset.seller_id,
      rootId: dataset.root_id,
      title: dataset.title,
      description: dataset.description,
      category: 'dataset',
      price: dataset.price,
      stockKind: 'unlimited',
      quantity: null,
      listed: null,
      active: true,
      releaseHours: dataset.release_hours,
      acceptsCredit: true,
    },
    deliveredBy(dataset),
  );
  return product.id;
}
