import { column, nullable, row, type Database } from '../platform/rows.ts';
import { invalid, List, Output, Type, type Static, type TObject, type TSchema } from './schema.ts';

const LIMIT = 20;
/** Maximum rows that a list is sorted and counted by. */
export const SORTED_MAX = 1_000;

/** A list that is counted where `sort` is given. */
export const CountedList = <K extends string, T extends TSchema>(
  name: string,
  plural: K,
  item: T,
) =>
  Output(name, {
    ...List(plural, item).properties,
    total_count: Type.Optional(
      Type.Integer({ description: `On all pages, if sorted; ${SORTED_MAX}: or more.` }),
    ),
  });

export interface Page {
  readonly limit: number;
  /** Id that all rows of the page are below: newest first. */
  readonly before: string;
}

/** A cursor that holds a position of a list. Cursors are opaque to clients. */
export const cursorWith = (position: string): string => Buffer.from(position).toString('base64url');

/**
 * Reads the position that a cursor holds: the groups of its form. Refuses a cursor that is not as
 * `cursorWith` writes it: one that was cut off or mistyped could hold another position.
 */
export function positionIn(cursor: string, form: RegExp): readonly string[] {
  // The name of the list follows the padding (`composition/invoke/list_cursor.ts`).
  const [written = ''] = cursor.split('=');
  const position = Buffer.from(written, 'base64url').toString();
  const parts = cursorWith(position) === written ? form.exec(position) : null;
  if (parts) return parts;
  throw wrongCursor();
}

/** The refusal of a cursor that is none of its list. */
export const wrongCursor = () =>
  invalid([{ pointer: '/cursor', message: 'must be a next_cursor of this list' }]);

/** Reads `limit` and `cursor` as `Paging` declares them, where a cursor holds an id. */
export function pageOf({ limit, cursor }: { limit?: number; cursor?: string }): Page {
  if (cursor === undefined) return { limit: limit ?? LIMIT, before: '9223372036854775807' };
  const [before] = positionIn(cursor, /^\d{1,18}$/);
  return { limit: limit ?? LIMIT, before: before! };
}

/** The cursor of the page that begins with this id, or the next lower one. */
export const cursorAt = (id: number): string => cursorWith(String(id + 1));

/** The page and the paging fields; `rows` must hold one more than `limit` if there are more. */
export function paged<R extends object>(
  rows: readonly R[],
  { limit }: Page,
  // The column that the list is sorted by.
  id: keyof R = 'id' as keyof R,
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    page,
    rest: {
      count: page.length,
      next_cursor: more ? cursorWith(String(last[id])) : null,
      has_more: more,
    },
  };
}

/**
 * A page of a list that is read whole, in an order of values that can be equal. Equal values are no
 * positions, so its cursors hold the number of rows before.
 */
export function pageAfter<R>(rows: readonly R[], input: { limit?: number; cursor?: string }) {
  const page = pageOf(input);
  const skip = input.cursor === undefined ? 0 : Number(page.before);
  const found = rows.slice(skip).map((row, n) => ({ id: skip + n + 1, row }));
  const { page: shown, rest } = paged(found, page);
  return { page: shown.map(({ row }) => row), rest };
}

export interface Period {
  /** Start, included. */
  readonly from?: Date | undefined;
  /** End, excluded. */
  readonly to?: Date | undefined;
}

const HIGHEST = 9223372036854775807n;

/**
 * A range of ids that holds all rows created in a period, and a few others. For a table whose ids
 * rise with time, which then needs no index on the time. `below` is undefined if no later row
 * exists.
 */
export async function idsBetween(
  db: Database,
  { table, time }: { table: string; time: string },
  { from, to }: Period,
): Promise<{ first: bigint; below: string | undefined }> {
  if (!from && !to) return { first: 0n, below: undefined };
  const { first, below } = await row(
    db,
    { first: nullable(column.text), below: nullable(column.text) },
    // Ids rise with time except in overlapping transactions, which take less than a minute.
    `select case when $3::timestamptz is not null
                 then first_id_since($1::regclass, $2, $3) end::text as first,
            case when $4::timestamptz is not null
                 then first_id_since($1::regclass, $2, $4 + interval '2 minutes')
             end::text as below`,
    [table, time, from ?? null, to ?? null],
  );
  const none = from ? HIGHEST : 0n;
  return { first: first === null ? none : BigInt(first), below: below ?? undefined };
}

/** A list as a stream: each look continues at the end of the previous one. */
export interface Streaming<I extends TObject, O extends TSchema> {
  /**
   * Input fields for the first look: after the message of this id or, if the client names none,
   * from the beginning of the stream. Refuses an invalid id.
   */
  begin(lastEventId: string | undefined): Partial<Static<I>>;
  messages(
    result: Static<O>,
  ): readonly { readonly id: string; readonly event: string; readonly data: object }[];
  /** Input fields for the next look. */
  next(result: Static<O>): Partial<Static<I>>;
}
