import { OneOf, Output, Type } from '../../../kernel/schema.ts';
import { beginningOf } from '../../../kernel/text.ts';
import { COLUMN_TYPES, columnsIn, own, type DatasetRow } from './columns.ts';

const COLUMNS_MAX = 100;
const NAME_CHARS_MAX = 100;
const CELL_CHARS_MAX = 200;

export const PREVIEW_ROWS_MAX = 5;

/** The beginning of rows, as everybody sees it. */
export const PreviewView = Output('DatasetPreview', {
  untrusted: Type.Literal(true),
  columns: Type.Array(
    Output({
      name: Type.String({ description: 'Its name, maybe cut.' }),
      type: OneOf(COLUMN_TYPES, 'json: several types, or parts.'),
    }),
    { description: 'Columns.' },
  ),
  column_count: Type.Integer({ description: 'Number of columns.' }),
  of_rows: Type.Integer({ description: 'Rows in which they were found.' }),
  rows: Type.Array(
    Type.Array(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
        description: 'A value, maybe cut.',
      }),
      { description: 'A row.' },
    ),
    { description: 'First rows, if the seller shows them.' },
  ),
});

/** A preview of the first rows of a version, `count` of which are shown. */
export function previewOf(rows: readonly DatasetRow[], count: number) {
  const columns = columnsIn(rows);
  const names = [...columns.keys()].slice(0, COLUMNS_MAX);
  return {
    columns: names.map((name) => ({
      name: beginningOf(name, NAME_CHARS_MAX),
      type: columns.get(name)!,
    })),
    column_count: columns.size,
    of_rows: rows.length,
    rows: rows.slice(0, count).map((row) => names.map((name) => cellOf(row, name))),
  };
}
export type Preview = ReturnType<typeof previewOf>;

function cellOf(row: DatasetRow, name: string): string | number | boolean | null {
  const value = own(row, name) ?? null;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return beginningOf(typeof value === 'string' ? value : JSON.stringify(value), CELL_CHARS_MAX);
}
