import { Refusal } from '../../../kernel/refusal.ts';

/** A row of a dataset. */
export type DatasetRow = Readonly<Record<string, unknown>>;

const COLUMNS_MAX = 1_000;
const NAMES_CHARS_MAX = 100_000;
/** More than a dense table of 16 MB has. Rows that share few names would become mostly gaps. */
const CELLS_MAX = 4_000_000;

/** A type that all values of a column fit; `json`: their JSON text. */
export const COLUMN_TYPES = ['boolean', 'integer', 'number', 'text', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** The columns of rows, in the order in which their names first come. */
export type ColumnTypes = ReadonlyMap<string, ColumnType>;

const INT64_MAX = 2n ** 63n - 1n;

/** The columns that all these rows have together. Refuses rows that are no table. */
export async function columnsOf(parts: AsyncIterable<readonly DatasetRow[]>): Promise<ColumnTypes> {
  const found: Found = new Map();
  let [rows, chars] = [0, 0];
  for await (const part of parts) {
    rows += part.length;
    for (const one of part) {
      chars += note(found, one);
      if (found.size > COLUMNS_MAX || chars > NAMES_CHARS_MAX) throw noTable();
    }
    if (rows * found.size > CELLS_MAX) throw noTable();
  }
  if (found.size === 0) throw noTable();
  return typesOf(found);
}

/** The columns of some rows, whatever they are. */
export function columnsIn(rows: readonly DatasetRow[]): ColumnTypes {
  const found: Found = new Map();
  for (const one of rows) note(found, one);
  return typesOf(found);
}

/** Undefined: only null until now. */
type Found = Map<string, ColumnType | undefined>;

/** Notes the names and types of a row. Returns the length of the new names. */
function note(found: Found, row: DatasetRow): number {
  let chars = 0;
  for (const [name, value] of Object.entries(row)) {
    if (!found.has(name)) chars += name.length;
    found.set(name, joined(found.get(name), typeOf(value)));
  }
  return chars;
}

const typesOf = (found: Found): ColumnTypes =>
  new Map([...found].map(([name, type]) => [name, type ?? 'text']));

const noTable = () =>
  new Refusal(
    'invalid_transition',
    'These rows are no table: they have no names, or too many different ones. Get them as .jsonl.',
  );

/** The type of a value; undefined: null fits all types. */
function typeOf(value: unknown): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'number') return 'json';
  return isInt64(value) ? 'integer' : 'number';
}

/** Whether it is an integer as it is written, which a double of 17 digits need not be. */
function isInt64(value: number): boolean {
  if (!Number.isInteger(value)) return false;
  if (Number.isSafeInteger(value)) return true;
  const written = String(value);
  return !written.includes('e') && BigInt(written.replace('-', '')) <= INT64_MAX;
}

function joined(one: ColumnType | undefined, other: ColumnType | undefined) {
  if (one === undefined || one === other) return other;
  if (other === undefined) return one;
  const both = [one, other];
  return both.includes('integer') && both.includes('number') ? 'number' : 'json';
}

/** The value of a name of this row; undefined: it has none. */
export const own = (row: DatasetRow, name: string): unknown =>
  Object.hasOwn(row, name) ? row[name] : undefined;
