import { column, rows, type Database } from '../platform/rows.ts';
import { moveEventWatermark } from './watermark.ts';

/** Kinds of events, as `order` of `order.created`; `dispute` where parties disagree. */
export interface ChangedKinds {
  readonly kinds: readonly string[];
  /** The next look begins after this id. */
  readonly until: number;
}

/** Of more events than this, a look names the kinds of the latest. */
const ROWS_MAX = 5_000;

/**
 * The kinds of what happened to anybody after the event `after`; without it, none, and where the
 * events of now end. For operators: owners are told of their own (list_events).
 */
export async function changedKinds(database: Database, after?: number): Promise<ChangedKinds> {
  const { settled: until } = await moveEventWatermark(database);
  if (after === undefined || until <= after) return { kinds: [], until };
  const found = await rows(
    database,
    { kind: column.text },
    `select distinct case when type ~ '(disputed|dispute_answered|appealed)$' then 'dispute'
                          else split_part(type, '.', 1) end as kind
       from (select type from event where id > $1 and id <= $2 order by id desc limit $3) latest`,
    [after, until, ROWS_MAX],
  );
  return { kinds: found.map(({ kind }) => kind), until };
}
