import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, nullable, row, rows } from '../../platform/rows.ts';
import type { SealedColumn } from '../../platform/secrets.ts';

/* Rows that are uploaded in parts, for a version that does not exist yet. */

export interface RowsSize {
  readonly row_count: number;
  /** Size as JSON, with brackets, and commas between the parts. */
  readonly size_bytes: number;
}

/** The size before the first part; each part adds its bytes and one more. */
export const NOTHING: RowsSize = { row_count: 0, size_bytes: 1 };

/** The size of an upload; undefined: the caller has no such upload. */
export async function sizeOfUpload(
  { db, caller }: Tx,
  uploadId: number,
): Promise<RowsSize | undefined> {
  const size = await row(
    db,
    { row_count: nullable(column.int), size_bytes: column.int },
    `select sum(row_count)::int as row_count, coalesce(sum(bytes + 1), 0)::int + 1 as size_bytes
       from dataset_upload where upload_id = $1 and agent_id = $2`,
    [uploadId, caller.agentId],
  );
  const { row_count, size_bytes } = size;
  return row_count === null ? undefined : { row_count, size_bytes };
}

interface UploadPart {
  /** The upload to continue; undefined: this is the first part. */
  readonly upload_id: number | undefined;
  /** Rows of the previous parts. */
  readonly after: number;
  readonly row_count: number;
  readonly bytes: number;
  readonly text: string;
}

/** Adds a part and returns the id of the upload; undefined: another call has added this part. */
export async function insertUpload(
  { db, caller, secrets }: Tx,
  { upload_id, after, row_count, bytes, text }: UploadPart,
): Promise<number | undefined> {
  const { id } = await row(
    db,
    { id: column.id },
    `select nextval(pg_get_serial_sequence('dataset_upload', 'id')) as id`,
  );
  const inserted = await execute(
    db,
    `insert into dataset_upload (id, upload_id, agent_id, root_id, after, row_count, bytes, content)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (upload_id, after) do nothing returning id`,
    [
      id,
      upload_id ?? id,
      caller.agentId,
      caller.rootId,
      after,
      row_count,
      bytes,
      secrets.seal(text, uploadOf({ id, agentId: caller.agentId })),
    ],
  );
  return inserted === 1 ? (upload_id ?? id) : undefined;
}

/**
 * Takes the parts of an upload, which can be used once. `use` gets one part after the other, so
 * that only one is in memory at a time.
 */
export async function takeUpload(
  { db, caller, secrets }: Tx,
  uploadId: number,
  use: (text: string, part: number) => Promise<void>,
): Promise<RowsSize> {
  const parts = await rows(
    db,
    { id: column.id, row_count: column.int, bytes: column.int },
    `select id, row_count, bytes from dataset_upload
      where upload_id = $1 and agent_id = $2 order by after for update`,
    [uploadId, caller.agentId],
  );
  if (parts.length === 0) throw noSuchUpload(uploadId);
  let { row_count, size_bytes } = NOTHING;
  for (const [n, part] of parts.entries()) {
    const { content } = await row(
      db,
      { content: column.bytes },
      'delete from dataset_upload where id = $1 returning content',
      [part.id],
    );
    await use(secrets.open(content, uploadOf({ id: part.id, agentId: caller.agentId })), n);
    row_count += part.row_count;
    size_bytes += part.bytes + 1;
  }
  return { row_count, size_bytes };
}

export const noSuchUpload = (uploadId: number) =>
  new Refusal('not_found', `You have no upload ${uploadId}. Uploads are kept for 7 days.`);

const uploadOf = ({ id, agentId }: { id: number; agentId: number }) => ({
  table: 'dataset_upload',
  column: 'content',
  row: id,
  owner: agentId,
});

export const SEALED_DATASET_UPLOADS: SealedColumn = {
  table: 'dataset_upload',
  column: 'content',
  row: 's.id::text',
  owner: 's.agent_id',
};
