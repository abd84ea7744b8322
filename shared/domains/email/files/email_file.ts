import { Refusal } from '../../../kernel/refusal.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Time,
  Type,
  type Static,
} from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, namesOf, nullable, oneOf, rows, type Row } from '../../../platform/rows.ts';
import { toUsd } from '../../../kernel/money.ts';
import { METERED } from '../../wallet/charge.ts';
import type { Format } from './file_text.ts';

/** Maximum rows of a file. */
export const ROWS_MAX = 100_000;
/** Maximum bytes of a file, as it is stored. */
export const BYTES_MAX = 16 * 1024 * 1024;
/** Days after which a file is deleted. */
export const KEPT_DAYS = 30;

export const STATUSES = ['uploaded', 'running', 'complete', 'partial'] as const;
type Status = (typeof STATUSES)[number];

const FILE_COLUMNS = {
  id: column.id,
  agent_id: column.id,
  name: column.text,
  format: oneOf<Format>(),
  delimiter: column.text,
  columns: column.texts,
  email_column: column.int,
  row_count: column.int,
  addresses: column.int,
  bytes: column.int,
  status: oneOf<Status>(),
  job_id: nullable(column.text),
  created_at: column.time,
  finished_at: nullable(column.time),
};

export type EmailFile = Row<typeof FILE_COLUMNS>;

export const EmailFileId = Id('The file.');

/** A validation whose job has ended without an end of its own has stopped. */
const STATUS = `case when f.status = 'running' and not exists
    (select from job j where j.id = f.job_id and j.status = 'pending') then 'partial'
  else f.status end as status`;

export function findFiles(
  db: Tx['db'],
  where: string,
  values: readonly unknown[],
): Promise<EmailFile[]> {
  const { status: _status, ...stored } = FILE_COLUMNS;
  const sql = `select ${namesOf(stored, 'f')}, ${STATUS} from email_file f ${where}`;
  return rows(db, FILE_COLUMNS, sql, values);
}

/** A file of the caller. Refuses another one. `lock` keeps it as it is until COMMIT. */
export async function findFile(
  { db, caller }: Tx,
  fileId: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<EmailFile> {
  const [file] = await findFiles(
    db,
    `where id = $1 and agent_id = $2${lock ? ' for update of f' : ''}`,
    [fileId, caller.agentId],
  );
  if (file) return file;
  const message = `You have no file ${fileId}. Old ones are deleted: see list_email_files.`;
  throw new Refusal('not_found', message);
}

export const EmailFileView = Output('EmailFile', {
  file_id: Id('The file.'),
  name: Type.String({ description: 'Its name.' }),
  status: OneOf(STATUSES, 'partial: money or a limit ran out; validate it again to go on.'),
  columns: Type.Array(Type.String(), { description: 'Names of its columns.' }),
  email_column: Type.String({ description: 'Column of the addresses.' }),
  row_count: Type.Integer({ description: 'Rows without the line of names.' }),
  addresses: Type.Integer({ description: 'Different addresses in it.' }),
  price: Amount('Maximum price of all addresses.'),
  job_id: Nullable(Type.String({ description: 'The job that validates it.' })),
  created_at: Time('Time of the upload.'),
  finished_at: Nullable(Time('End of its validation.')),
  deleted_at: Time('Time when it will be deleted.'),
});

export function viewOfFile(file: EmailFile): Static<typeof EmailFileView> {
  return {
    file_id: file.id,
    name: file.name,
    status: file.status,
    columns: file.columns,
    email_column: file.columns[file.email_column]!,
    row_count: file.row_count,
    addresses: file.addresses,
    price: toUsd(METERED.email.unitPrice * BigInt(file.addresses)),
    job_id: file.job_id,
    created_at: file.created_at.toISOString(),
    finished_at: file.finished_at?.toISOString() ?? null,
    deleted_at: new Date(file.created_at.getTime() + KEPT_DAYS * 86_400_000).toISOString(),
  };
}
