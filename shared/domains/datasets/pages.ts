import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { cursorWith, positionIn, wrongCursor } from '../../kernel/paging.ts';
import { column, nullable, row } from '../../platform/rows.ts';
import type { Dataset } from '../products/dataset/dataset.ts';
import { openPart } from './versions.ts';

type Delivered = Pick<Dataset, 'id' | 'seller_id' | 'version'>;

/** A page of the rows of a dataset: one part as uploaded, which bounds the size of an answer. */
export async function pageOfRows(
  tx: Pick<Tx, 'db' | 'secrets'>,
  dataset: Delivered,
  cursor: string | undefined,
) {
  const part = cursor === undefined ? 0 : partAt(cursor, dataset);
  const text = await openPart(tx, dataset, { version: dataset.version, part });
  if (text === undefined) throw wrongCursor();
  const { row_count, sha256, has_more } = await row(
    tx.db,
    { row_count: column.int, sha256: nullable(column.text), has_more: column.boolean },
    `select row_count, sha256, exists (select from dataset_part p
              where (p.dataset_id, p.version, p.part) = ($1, $2, $3 + 1)) as has_more
       from dataset_version where dataset_id = $1 and version = $2`,
    [dataset.id, dataset.version, part],
  );
  const next_cursor = has_more ? cursorOf(dataset, part + 1) : null;
  const data = JSON.parse(`[${text}]`) as object[];
  // Versions of earlier releases have no hash.
  return { data, row_count, ...(sha256 !== null && { sha256 }), next_cursor, has_more };
}

/** Cursors are opaque. They hold the version, because pages of two versions must not be mixed. */
const cursorOf = ({ version }: Delivered, part: number): string => cursorWith(`${version}.${part}`);

function partAt(cursor: string, { version }: Delivered): number {
  const [, of, part] = positionIn(cursor, /^(\d{1,9})\.(\d{1,6})$/);
  if (Number(of) === version) return Number(part);
  throw new Refusal(
    'invalid_transition',
    `You get version ${version} of this dataset now. Start again without a cursor.`,
    { version },
  );
}
