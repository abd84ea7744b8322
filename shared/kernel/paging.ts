import { invalid, type Static, type TObject, type TSchema } from './schema.ts';

const LIMIT = 20;

export interface Page {
  readonly limit: number;
  /** Only rows whose id is below it: newest first. */
  readonly before: string;
}

/** Reads `limit` and `cursor` as `Paging` declares them. Cursors are opaque and hold an id. */
export function pageOf({ limit, cursor }: { limit?: number; cursor?: string }): Page {
  if (cursor === undefined) return { limit: limit ?? LIMIT, before: '9223372036854775807' };
  const before = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,18}$/.test(before)) {
    throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
  }
  return { limit: limit ?? LIMIT, before };
}

/** The answer's paging, where `rows` holds one more than `limit` if there are more. */
export function paged<R extends { id: number | string }>(rows: readonly R[], { limit }: Page) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    page,
    rest: {
      count: page.length,
      next_cursor: more ? Buffer.from(String(last.id)).toString('base64url') : null,
      has_more: more,
    },
  };
}

/** A list as a stream: each look goes on where the one before has ended. */
export interface Streaming<I extends TObject, O extends TSchema> {
  /**
   * What the first look asks for besides: after the message of this id, or, where the client names
   * none, from where a stream begins. Refuses what is no such id.
   */
  begin(lastEventId: string | undefined): Partial<Static<I>>;
  messages(
    result: Static<O>,
  ): readonly { readonly id: string; readonly event: string; readonly data: object }[];
  /** What the next look asks for instead. */
  next(result: Static<O>): Partial<Static<I>>;
}
