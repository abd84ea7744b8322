import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { field, view } from '../../../kernel/view.ts';
import { column, finder, oneOf, type Row } from '../../../platform/rows.ts';
import { METERED } from '../../wallet/charge.ts';
import type { Format } from './file_text.ts';

/** Maximum rows of a file. */
export const ROWS_MAX = 100_000;
/**
 * Maximum bytes of a file as it is stored: each cell is quoted, so a CSV of 16 MB, the maximum of
 * an upload, may be four times as large.
 */
export const BYTES_MAX = 64 * 1024 * 1024;
/**
 * Rows of a file per child job, which makes one charge. Fewer than addresses of a batch: a worker
 * has some thirty jobs in hand, and more addresses at once would wait too long for their look-ups.
 */
export const FILE_PIECE = 100;

const STATUSES = ['uploaded', 'running', 'complete', 'partial'] as const;

/** A file, as its agent sees it. */
export const EmailFileView = view('EmailFile', {
  file_id: field.id('The file.'),
  name: field.text('Its name.'),
  status: field.oneOf(STATUSES, 'partial: money or a limit ran out; validate it again to go on.'),
  columns: field.json(Type.Array(Type.String(), { description: 'Names of its columns.' })),
  email_column: field.text('Column of the addresses.'),
  row_count: field.whole('Rows without the line of names.'),
  addresses: field.whole('Different addresses in it.'),
  price: field.amount('Maximum price of all addresses.'),
  job_id: field.orNull(field.text('The job that validates it.')),
  created_at: field.time('Time of the upload.'),
  finished_at: field.orNull(field.time('End of its validation.')),
  deleted_at: field.time('Time when it will be deleted.'),
});

const COLUMNS = {
  ...EmailFileView.columns,
  agent_id: column.id,
  format: oneOf<Format>(),
  delimiter: column.text,
  /** Index of the column of addresses. */
  email_at: column.int,
  bytes: column.int,
};

export type EmailFile = Row<typeof COLUMNS>;

export const EmailFileId = Id('The file.');

/** A validation whose job has ended without an end of its own has stopped: it is partial. */
const SELECT = `
  select f.id as file_id, f.name,
         case when f.status = 'running' and not exists
                (select from job j where j.id = f.job_id and j.status = 'pending') then 'partial'
              else f.status end as status,
         f.columns, f.columns[f.email_column + 1] as email_column, f.row_count, f.addresses,
         f.addresses * ${METERED.email.unitPrice}::bigint as price, f.job_id, f.created_at,
         f.finished_at, f.created_at + interval '30 days' as deleted_at, f.agent_id, f.format,
         f.delimiter, f.email_column as email_at, f.bytes
    from email_file f`;

export const findFiles = finder(COLUMNS, SELECT);

/** A file of the caller. Refuses another one. `lock` keeps it as it is until COMMIT. */
export async function findFile(
  { db, caller }: Tx,
  fileId: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<EmailFile> {
  const [file] = await findFiles(
    db,
    `where f.id = $1 and f.agent_id = $2${lock ? ' for update of f' : ''}`,
    [fileId, caller.agentId],
  );
  if (file) return file;
  const message = `You have no file ${fileId}. Old ones are deleted.`;
  throw new Refusal('not_found', message);
}
