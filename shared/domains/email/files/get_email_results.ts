import { operation } from '../../../kernel/operation.ts';
import { cursorWith, positionIn } from '../../../kernel/paging.ts';
import { Input, Nullable, Output, pagingOf, Type } from '../../../kernel/schema.ts';
import { BatchResult } from '../batch.ts';
import { EmailFileId, findFile } from './email_file.ts';
import { emailIn, mailboxOf, openRows } from './file_rows.ts';
import { findResults, shownResult } from './file_results.ts';

/** Maximum rows of a page. */
const RESULTS_MAX = 500;

const FileRow = Type.Object(
  {
    row: Type.Integer({ description: 'Number of the row, from 1.' }),
    cells: Type.Array(Type.String(), { description: 'Its cells as sent.' }),
    result: Nullable(BatchResult),
  },
  { additionalProperties: false },
);

export const getEmailResults = operation({
  name: 'get_email_results',
  title: 'Get the results of a file of addresses',
  summary:
    'Returns the rows of a file in your order, each with the result of its address, also while ' +
    'it is validated. As CSV: GET /api/v1/email/files/:file_id/results.csv. Free.',
  phrasings: `
    download the results of my bulk email check; cleaned mailing list; which rows of my CSV
    bounce; results of validate_email_file; get the validated file back with all its columns`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/email/files/:file_id/results',
  refusals: ['not_found'],
  reads: { costly: true },
  input: Input({ file_id: EmailFileId, ...pagingOf(RESULTS_MAX) }),
  output: Output('EmailResults', {
    columns: Type.Array(Type.String(), { description: 'Names of the columns.' }),
    rows: Type.Array(FileRow, { description: 'The rows of this page.' }),
    next_cursor: Nullable(Type.String({ description: 'Cursor of the next page.' })),
    has_more: Type.Boolean({ description: 'More pages follow.' }),
  }),

  async handle(tx, { file_id, limit = RESULTS_MAX, cursor }) {
    const file = await findFile(tx, file_id);
    const from = cursor === undefined ? 0 : Number(positionIn(cursor, /^\d{1,6}$/)[0]);
    const cells = await openRows(tx, file, { from, count: limit });
    const emails = cells.map((row) => emailIn(row, file.email_at));
    const digests = emails.map((email) => (email === undefined ? '' : mailboxOf(email).digest));
    const results = await findResults(tx.db, file_id, digests);
    const resultOf = (n: number) => {
      const { result, row_number: first } = results.get(digests[n]!) ?? {};
      return result ? shownResult(emails[n]!, result, first !== from + n) : null;
    };
    const next = from + cells.length;
    const has_more = next < file.row_count;
    return {
      columns: file.columns,
      rows: cells.map((row, n) => ({ row: from + n + 1, cells: row, result: resultOf(n) })),
      next_cursor: has_more ? cursorWith(String(next)) : null,
      has_more,
    };
  },
});
