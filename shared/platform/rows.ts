import type { DataSource, EntityManager } from 'typeorm';

/**
 * The only way of this code base to query PostgreSQL: SQL by hand, with the columns of the result
 * declared beside it. A declared column is read into the type that the code works with, so that no
 * `any` and no bigint as text leaves this file. TypeORM gives the pool, the transactions and the
 * migrations, and nothing else.
 *
 * ```ts
 * const [order] = await rows(db, { id: column.id, subtotal: column.micros },
 *   'select id, subtotal from orders where id = $1', [orderId]);
 * ```
 */
export async function rows<C extends Columns>(
  db: Database,
  columns: C,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row<C>[]> {
  return rowsOf(columns, rawRows(await db.query(sql, parameters as unknown[])), sql);
}

/**
 * `rows` of each of several statements without parameters, in a transaction. They are one message,
 * and planned one by one: a union of a hundred takes twice as long to plan.
 */
export async function rowsOfEach<C extends Columns>(
  db: EntityManager,
  columns: C,
  statements: readonly string[],
): Promise<Row<C>[][]> {
  const connection = (await db.queryRunner!.connect()) as Connection;
  const results = [await connection.query(statements.join(';'))].flat();
  return results.map(({ rows: raw }, n) => rowsOf(columns, raw, statements[n]!));
}

type RawRow = Record<string, unknown>;

/** The connection of the driver: a list of results where a message has several statements. */
interface Connection {
  query(sql: string): Promise<{ rows: RawRow[] } | { rows: RawRow[] }[]>;
}

function rowsOf<C extends Columns>(columns: C, raw: readonly RawRow[], sql: string): Row<C>[] {
  if (checksColumns && raw.length > 0) assertColumns(columns, raw[0]!, sql);
  const readers = Object.entries(columns);
  return raw.map((row) => {
    const read: Record<string, unknown> = {};
    for (const [name, column] of readers) read[name] = column(row[name]);
    return read as Row<C>;
  });
}

/** `rows` of one query, for the clauses that follow it: conditions, order, limit. */
export const finder =
  <C extends Columns>(columns: C, query: string) =>
  (db: Database, clauses: string, parameters: readonly unknown[] = []): Promise<Row<C>[]> =>
    rows(db, columns, `${query} ${clauses}`, parameters);

/** `rows` for a statement that always finds exactly one. */
export async function row<C extends Columns>(
  db: Database,
  columns: C,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row<C>> {
  const found = await rows(db, columns, sql, parameters);
  if (found.length !== 1) throw new Error(`${found.length} rows instead of one: ${sql}`);
  return found[0]!;
}

/** Runs a statement without reading rows. Returns the number of rows of an UPDATE or DELETE. */
export async function execute(
  db: Database,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const result: unknown = await db.query(sql, parameters as unknown[]);
  return isChange(result) ? result[1] : (result as unknown[]).length;
}

export type Database = Pick<DataSource | EntityManager, 'query'>;

/** Converts the driver's value of a column. Throws if it has another type. */
export type Column<T> = (value: unknown) => T;
type Columns = Readonly<Record<string, Column<unknown>>>;
export type Row<C extends Columns> = { -readonly [K in keyof C]: ReturnType<C[K]> };

/** The kinds of columns. An id is a bigint below 2^53, and a number in code and JSON. */
export const column = {
  id: whole,
  int: whole,
  float: (value: unknown) => (typeof value === 'number' ? value : fail('a number', value)),
  micros: (value: unknown): bigint =>
    typeof value === 'string' || Number.isSafeInteger(value)
      ? BigInt(value as string | number)
      : fail('a whole number', value),
  text: text as Column<string>,
  boolean: (value: unknown) => (typeof value === 'boolean' ? value : fail('a boolean', value)),
  time: (value: unknown) => (value instanceof Date ? value : fail('a time', value)),
  bytes: (value: unknown) => (Buffer.isBuffer(value) ? value : fail('bytes', value)),
  json: (value: unknown) => value,
  ids: listOf(whole),
  texts: listOf(text),
};

/** A text column with a few values, enforced by a check constraint. */
export const oneOf = <T extends string>(): Column<T> => text as Column<T>;
/** A text[] column with such values. */
export const someOf = <T extends string>(): Column<T[]> => column.texts as Column<T[]>;
/** A json column whose shape our own code wrote. */
export const jsonOf = <T>(): Column<T> => column.json as Column<T>;

export const nullable =
  <T>(column: Column<T>): Column<T | null> =>
  (value) =>
    value === null ? null : column(value);

/** SQL: the list of declared columns, qualified by `alias` if given. */
export const namesOf = (columns: Columns, alias?: string): string =>
  Object.keys(columns)
    .map((name) => (alias === undefined ? name : `${alias}.${name}`))
    .join(', ');

let checksColumns = true;

/** Switches the comparison of result columns with declared ones, which is off in production. */
export function checkColumns(on: boolean): void {
  checksColumns = on;
}

function assertColumns(columns: Columns, found: object, sql: string): void {
  const declared = Object.keys(columns).toSorted().join(', ');
  const given = Object.keys(found).toSorted().join(', ');
  if (declared !== given) throw new Error(`columns ${given} and not ${declared}: ${sql}`);
}

/** TypeORM returns the rows and their number for UPDATE and DELETE. */
const isChange = (result: unknown): result is [object[], number] =>
  Array.isArray(result) && Array.isArray(result[0]) && typeof result[1] === 'number';

const rawRows = (result: unknown): RawRow[] => (isChange(result) ? result[0] : result) as RawRow[];

/** The driver returns int8 as text. */
function whole(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : fail('a whole number', value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : fail('text', value);
}

function listOf<T>(column: Column<T>): Column<T[]> {
  return (value) => (Array.isArray(value) ? value.map(column) : fail('a list', value));
}

function fail(wanted: string, value: unknown): never {
  throw new Error(`a column holds ${value === null ? 'null' : typeof value} and not ${wanted}`);
}
