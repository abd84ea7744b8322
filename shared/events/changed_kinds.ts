import { column, nullable, rows, type Database } from '../platform/rows.ts';
import { moveEventWatermark } from './watermark.ts';

/** Kinds of events, as `order` of `order.created`; also `dispute` where parties disagree. */
export interface ChangedKinds {
  /** Of what happened to anybody, if that was asked for. */
  readonly ofAll: ReadonlySet<string>;
  /** Of what happened in these trees, by their roots; trees without any are not here. */
  readonly ofTrees: ReadonlyMap<number, ReadonlySet<string>>;
  /** The next look begins after this id. */
  readonly until: number;
}

export interface AskedKinds {
  /** The roots of the trees that somebody watches. */
  readonly trees: readonly number[];
  readonly isOfAll: boolean;
  /** An event's id. Absent: nothing is read, and the answer says where the events of now end. */
  readonly after: number | undefined;
}

/** Ids that one look reads: what is beyond them is for the next. */
const IDS_MAX = 20_000;

/** The kinds of what has happened after an event, for many that watch in one statement. */
export async function changedKinds(
  database: Database,
  { trees, isOfAll, after }: AskedKinds,
): Promise<ChangedKinds> {
  const { settled } = await moveEventWatermark(database);
  const ofAll = new Set<string>();
  const ofTrees = new Map<number, Set<string>>();
  if (after === undefined || settled <= after) return { ofAll, ofTrees, until: settled };
  const until = Math.min(settled, after + IDS_MAX);
  const found = await rows(
    database,
    { tree: nullable(column.id), kind: column.text, is_dispute: column.boolean },
    `select distinct case when root_id = any ($3) then root_id end as tree,
            split_part(type, '.', 1) as kind,
            type ~ '(disputed|dispute_answered|appealed)$' as is_dispute
       from event where id > $1 and id <= $2 ${isOfAll ? '' : 'and root_id = any ($3)'}`,
    [after, until, trees],
  );
  for (const { tree, kind, is_dispute } of found) {
    const kinds = tree === null ? undefined : (ofTrees.get(tree) ?? new Set());
    if (kinds) ofTrees.set(tree!, kinds);
    for (const name of is_dispute ? [kind, 'dispute'] : [kind]) {
      kinds?.add(name);
      if (isOfAll) ofAll.add(name);
    }
  }
  return { ofAll, ofTrees, until };
}
