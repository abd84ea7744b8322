import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Text, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import { ADDRESS_BYTES, assertStorage } from '../../agents/limits/storage.ts';
import { emailColumnOf } from './email_column.ts';
import { BYTES_MAX, EmailFileView, findFile, ROWS_MAX } from './email_file.ts';
import { insertRows } from './file_rows.ts';
import {
  CHARS_MAX,
  FORMATS,
  invalidContent,
  readFirst,
  readNext,
  type Layout,
} from './file_text.ts';

export const uploadEmailFile = operation({
  name: 'upload_email_file',
  title: 'Upload a file of email addresses',
  summary:
    'Uploads a list of email addresses as CSV or JSONL, up to 100 000 rows, with any other ' +
    'columns; a long one in several calls. Answers the number of addresses and their price. Then ' +
    'validate_email_file. Kept for 30 days, encrypted. Free.',
  phrasings: `
    upload a CSV of contacts to check; I have a spreadsheet of emails; import a mailing list file;
    clean a file with many thousand addresses; send my subscriber list as a file; a hundred
    thousand emails in a CSV; load an export of my CRM for verification; JSONL of addresses`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/email/files',
  refusals: ['not_found', 'invalid_transition', 'payload_too_large'],
  input: Input({
    content: Text(1, CHARS_MAX, 'Whole lines of the file.'),
    name: Type.Optional(Text(1, 120, 'A name for it.')),
    format: Type.Optional(OneOf(FORMATS, 'Found by its first line if absent.')),
    column: Type.Optional(
      Text(1, 200, 'Name, or number from 1, of the column of addresses. Found if absent.'),
    ),
    file_id: Type.Optional(Id('The file to continue; absent in the first call.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ROWS_MAX,
        description: 'Its rows so far, so that a repeated part is not added twice.',
      }),
    ),
  }),
  output: EmailFileView.schema,

  async handle(tx, { content, file_id, after = 0, ...first }) {
    if (file_id === undefined) {
      if (after > 0) throw invalid([{ pointer: '/after', message: 'is 0 without a file_id' }]);
      return begin(tx, content, first);
    }
    const named = Object.keys(first)[0];
    if (named !== undefined) {
      throw invalid([{ pointer: `/${named}`, message: 'is for the first part alone' }]);
    }
    const file = await findFile(tx, file_id, { lock: true });
    if (file.status !== 'uploaded') {
      const message = 'Its validation has begun, so it takes no more rows. Upload another file.';
      throw new Refusal('invalid_transition', message, { status: file.status });
    }
    if (file.row_count !== after) {
      const message = `after must be ${file.row_count}, the rows uploaded so far.`;
      throw new Refusal('invalid_transition', message, { row_count: file.row_count });
    }
    return addRows(tx, file_id, readNext(content, file), file.email_at);
  },
});

type First = Parameters<typeof readFirst>[1];

async function begin(
  tx: Tx,
  content: string,
  given: { name?: string; format?: First; column?: string },
) {
  const read = readFirst(content, given.format);
  if (read.rows.length === 0) throw invalidContent('has no rows');
  const emailColumn = emailColumnOf(read, given.column);
  const { id } = await row(
    tx.db,
    { id: column.id },
    `insert into email_file (agent_id, root_id, name, format, delimiter, columns, email_column)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      tx.caller.agentId,
      tx.caller.rootId,
      given.name ?? `addresses.${read.format}`,
      read.format,
      read.delimiter,
      read.columns,
      emailColumn,
    ],
  );
  return addRows(tx, id, read, emailColumn);
}

async function addRows(
  tx: Tx,
  fileId: number,
  read: Layout & { rows: readonly (readonly string[])[] },
  emailColumn: number,
) {
  const { row_count: before, bytes: bytesBefore } = await findFile(tx, fileId);
  if (read.rows.length === 0) throw invalidContent('has no rows');
  const count = before + read.rows.length;
  if (count > ROWS_MAX) throw tooLarge(`A file has at most ${ROWS_MAX} rows.`);
  const text = JSON.stringify(read.rows);
  const bytes = bytesBefore + Buffer.byteLength(text);
  if (bytes > BYTES_MAX) throw tooLarge('A file has at most 64 MB with its cells quoted.');
  await assertStorage(tx, bytes - bytesBefore + ADDRESS_BYTES * read.rows.length);
  const part = { fileId, after: before, rows: read.rows, text, emailColumn };
  const addresses = await insertRows(tx, part);
  await execute(
    tx.db,
    `update email_file set row_count = $2, bytes = $3, addresses = addresses + $4, columns = $5
      where id = $1`,
    [fileId, count, bytes, addresses, read.columns],
  );
  return EmailFileView.show(await findFile(tx, fileId));
}

const tooLarge = (message: string) =>
  new Refusal('payload_too_large', message, { rows_max: ROWS_MAX, bytes_max: BYTES_MAX });
