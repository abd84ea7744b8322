import { column, nullable, rows, type Database } from '../../platform/rows.ts';
import { moveEventWatermark } from './watermark.ts';

/** Kinds of new events, as `order` of `order.created`; also `dispute` for events of a dispute. */
interface ChangedKinds {
  /** Kinds of all new events, if requested. */
  readonly ofAll: ReadonlySet<string>;
  /** Kinds by the root of each requested tree; trees without new events are left out. */
  readonly ofTrees: ReadonlyMap<number, ReadonlySet<string>>;
  /** The next look begins after this id. */
  readonly until: number;
}

interface WatchedKinds {
  /** The roots of the trees that somebody watches. */
  readonly trees: readonly number[];
  readonly isOfAll: boolean;
  /** Id of an event. Undefined: no event is read, and `until` is the end of the events of now. */
  readonly after: number | undefined;
}

/** Maximum ids that one look reads; the next look continues there. */
const IDS_MAX = 20_000;

/** The kinds of the events after an id, for many watched trees in one statement. */
export async function changedKinds(
  database: Database,
  { trees, isOfAll, after }: WatchedKinds,
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
