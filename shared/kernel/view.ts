import { column, nullable, rows, type Column } from '../platform/rows.ts';
import { toUsd, type Micros } from './money.ts';
import { paged, pageOf } from './paging.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  pagingOf,
  Time,
  Type,
  Untrusted,
  type Static,
  type TObject,
  type TSchema,
} from './schema.ts';
import { shownName, untrusted } from './text.ts';
import type { Tx } from './tx.ts';

/** A field of an answer: its schema, the column it is read from, and how its value is shown. */
interface Field<T = unknown, S extends TSchema = TSchema> {
  readonly schema: S;
  readonly column: Column<T>;
  show(value: T): Static<S>;
}

type Fields = Readonly<Record<string, Field>>;
type Schemas<F extends Fields> = { [K in keyof F]: F[K]['schema'] };
type Values<F extends Fields> = { -readonly [K in keyof F]: ReturnType<F[K]['column']> };
type Shown<F extends Fields> = { -readonly [K in keyof F]: ReturnType<F[K]['show']> };

function asIs<T, S extends TSchema>(schema: S, read: Column<T>): Field<T, S> {
  return { schema, column: read, show: (value) => value as Static<S> };
}

/** Kinds of fields, by the column that holds their value. */
export const field = {
  asIs,
  id: (description: string) => asIs(Id(description), column.id),
  whole: (description: string) => asIs(Type.Integer({ description }), column.int),
  flag: (description: string) => asIs(Type.Boolean({ description }), column.boolean),
  text: (description: string) => asIs(Type.String({ description }), column.text),
  oneOf: <T extends string>(values: readonly T[], description: string) =>
    asIs(OneOf(values, description), column.text as Column<T>),
  /** A value that our own code wrote as JSON, of this schema. */
  json: <S extends TSchema>(schema: S) => asIs(schema, column.json as Column<Static<S>>),
  /** Name of an agent. */
  name: (description: string) => ({
    schema: Type.String({ description }),
    column: column.text,
    show: shownName,
  }),
  /** Text by another party. */
  untrusted: (description: string) => ({
    schema: Untrusted(description),
    column: column.text,
    show: untrusted,
  }),
  amount: (description: string) => ({
    schema: Amount(description),
    column: column.micros,
    show: (micros: Micros) => toUsd(micros),
  }),
  time: (description: string) => ({
    schema: Time(description),
    column: column.time,
    show: (time: Date) => time.toISOString(),
  }),
  orNull: <T, S extends TSchema>(inner: Field<T, S>) => ({
    schema: Nullable(inner.schema),
    column: nullable(inner.column),
    show: (value: T | null): Static<S> | null => (value === null ? null : inner.show(value)),
  }),
};

export interface View<F extends Fields> {
  readonly schema: TObject<Schemas<F>>;
  readonly columns: { [K in keyof F]: F[K]['column'] };
  show(this: void, row: Values<F>): Shown<F>;
}

/**
 * An object of answers whose fields are columns of one statement: each is said once, and from it
 * come the schema, named as an `Output` is, the columns to read, and the object to answer.
 */
export function view<F extends Fields>(fields: F): View<F>;
export function view<F extends Fields>(name: string, fields: F): View<F>;
export function view<F extends Fields>(first: F | string, second?: F): View<F> {
  const [name, fields] = typeof first === 'string' ? [first, second!] : [undefined, first];
  const entries = Object.entries(fields);
  const each = <T>(of: (one: Field) => T) =>
    Object.fromEntries(entries.map(([key, one]) => [key, of(one)]));
  const properties = each(({ schema }) => schema) as Schemas<F>;
  return {
    schema: name === undefined ? Output(properties) : Output(name, properties),
    columns: each(({ column: read }) => read) as View<F>['columns'],
    show: (row) => {
      const shown: Record<string, unknown> = {};
      for (const [key, one] of entries) shown[key] = one.show(row[key]!);
      return shown as Shown<F>;
    },
  };
}

interface RowList<F extends Fields> {
  readonly item: View<F>;
  /** Maximum items of a page, also if no limit is given. Absent: as of other lists. */
  readonly limit?: number;
  /** The column that the list is sorted by; it need not be shown. */
  readonly id: string;
  /** $1: the id that all rows are below. $2: the number of rows. */
  readonly sql: string;
}

/** Input, output and `handle` of an operation that lists the rows of one statement by id. */
export function rowList<K extends string, F extends Fields>(
  plural: K,
  { item, limit, id, sql }: RowList<F>,
) {
  const output = List(plural, item.schema);
  return {
    input: Input(limit === undefined ? { ...Paging } : pagingOf(limit)),
    output,
    async handle({ db }: Pick<Tx, 'db'>, paging: { limit?: number; cursor?: string }) {
      const page = pageOf({ ...(limit && { limit }), ...paging });
      const columns = { [id]: column.id, ...item.columns };
      const found = await rows(db, columns, sql, [page.before, page.limit + 1]);
      const { page: shown, rest } = paged(found, page, id);
      const items = (shown as unknown as Values<F>[]).map(item.show);
      return { [plural]: items, ...rest } as Static<typeof output>;
    },
  };
}
