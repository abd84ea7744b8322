import { Readable } from 'node:stream';

import papaparse from 'papaparse';

import type { AnswerOf } from '../console/answers.ts';
import type { Perform } from '../http/calls.ts';
import type { HttpContext } from '../http/routes.ts';

type Page = AnswerOf<'get_email_results'>;
type Result = NonNullable<Page['rows'][number]['result']>;

/** Columns of a result, beside those of the file. */
const COLUMNS = [
  'status',
  'sub_status',
  'score',
  'valid',
  'deliverable',
  'disposable',
  'is_role',
  'is_free',
  'is_relay',
  'provider',
  'did_you_mean',
  'is_catch_all',
  'reachable',
  'checked_at',
  'charged',
] as const satisfies readonly (keyof Result)[];

/**
 * The rows of a file with their results, as CSV (RFC 4180). Cells are as they were sent. The first
 * page is read before the first line is sent, so that a refusal is one.
 */
export async function resultsStream(
  perform: Perform,
  input: object,
  isCounted: boolean,
): Promise<Readable> {
  const read = async (cursor: string | null, isCountedNow: boolean) => {
    const page = { ...input, ...(cursor !== null && { cursor }) };
    const body = { input: page, key: undefined, waitMs: 0 };
    return JSON.parse(await perform('get_email_results', () => body, isCountedNow)) as Page;
  };
  const first = await read(null, isCounted);
  return Readable.from(linesOf(first, (cursor) => read(cursor, true)));
}

export function setCsvHeaders(ctx: HttpContext, fileId: string): void {
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.set('Content-Disposition', `attachment; filename="addresses-${fileId}.csv"`);
  ctx.set('Cache-Control', 'no-store');
}

async function* linesOf(
  first: Page,
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<string> {
  yield lines([[...first.columns, ...COLUMNS.map((name) => `result_${name}`)]]);
  for (let page = first; ; page = await read(page.next_cursor)) {
    if (page.rows.length > 0)
      yield lines(page.rows.map((row) => cellsOf(row, first.columns.length)));
    if (!page.has_more) return;
  }
}

/** A row may have fewer cells than the file has columns. */
function cellsOf({ cells, result }: Page['rows'][number], width: number) {
  const padded = Array.from({ length: width }, (_, n) => cells[n] ?? '');
  return [...padded, ...COLUMNS.map((name) => plain(result?.[name] ?? ''))];
}

/** A value of ours as a cell that no spreadsheet takes for a formula: a text of it gets a `'`. */
const plain = (value: string | number | boolean) =>
  typeof value === 'string' && /^[=+\-@]/.test(value) ? `'${value}` : value;

const lines = (rows: readonly (readonly unknown[])[]): string =>
  `${papaparse.unparse(rows as unknown[][], { newline: '\r\n' })}\r\n`;
