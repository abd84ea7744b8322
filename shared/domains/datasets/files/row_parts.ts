import type { Secrets } from '../../../platform/secrets.ts';
import { column, nullable, row, type Database } from '../../../platform/rows.ts';
import { openPart } from '../versions.ts';
import type { DatasetRow } from './columns.ts';

/** A version of a dataset of rows. */
export interface RowsVersion {
  readonly id: number;
  readonly seller_id: number;
  readonly version: number;
}

const ROWS = {
  row_count: column.int,
  /** Size as one JSON list. */
  size_bytes: column.int,
  sha256: nullable(column.text),
  parts: column.int,
};

/** The size and hash of the rows of a version. */
export const findRows = (db: Database, { id, version }: Pick<RowsVersion, 'id' | 'version'>) =>
  row(
    db,
    ROWS,
    `select row_count, size_bytes, sha256,
            (select count(*) from dataset_part p
              where (p.dataset_id, p.version) = (v.dataset_id, v.version)) as parts
       from dataset_version v where dataset_id = $1 and version = $2`,
    [id, version],
  );

/**
 * The rows of a version, a part after the other, so that one is in memory at a time. Access is not
 * checked. Throws if the version is deleted meanwhile.
 */
export async function* openRows(
  { db, secrets }: { readonly db: Database; readonly secrets: Secrets },
  dataset: RowsVersion,
): AsyncGenerator<readonly DatasetRow[]> {
  const { parts } = await findRows(db, dataset);
  for (let part = 0; part < parts; part += 1) {
    const text = await openPart({ db, secrets }, dataset, { version: dataset.version, part });
    if (text === undefined) throw new Error('the version was deleted while it was read');
    yield JSON.parse(`[${text}]`) as DatasetRow[];
  }
}
