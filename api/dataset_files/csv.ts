import { csvText } from '../../shared/kernel/terms/csv.ts';
import {
  own,
  type ColumnTypes,
  type DatasetRow,
} from '../../shared/domains/datasets/files/columns.ts';

/** Rows as CSV: names first, a row a line. */
export async function* csvPieces(
  parts: AsyncIterable<readonly DatasetRow[]>,
  columns: ColumnTypes,
): AsyncGenerator<Uint8Array> {
  const names = [...columns.keys()];
  yield Buffer.from(lineOf(names.map(csvText)));
  for await (const part of parts) {
    yield Buffer.from(
      part.map((row) => lineOf(names.map((name) => cellOf(own(row, name))))).join(''),
    );
  }
}

/** A line without a character would be skipped by readers: an empty cell alone is quoted. */
const lineOf = (cells: readonly string[]) => `${cells.join(',') || '""'}\r\n`;

/** Numbers as JSON writes them, no value as nothing, and an empty text as two quotation marks. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value === '') return '""';
  if (typeof value === 'string') return csvText(value);
  return typeof value === 'object' ? csvText(JSON.stringify(value)) : JSON.stringify(value);
}
