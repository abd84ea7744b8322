import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { payingAmong } from '../../ledger/holdings.ts';
import { column, execute, rows, type Database } from '../../../platform/rows.ts';
import type { LaborTask } from '../labor_task.ts';

/*
 * The record of a worker with a poster counts in full, and of the verdicts of any other poster only
 * a few, if that has paid cash: otherwise friends could make a record for each other.
 */

/** Time that a verdict counts. */
const DAYS = 90;
/** Maximum verdicts of another poster that count. */
const OTHERS_MAX = 2;
/** Minimum verdicts that make a record. */
const SEEN_MIN = 5;
/** Minimum share of them that are favourable. */
const RIGHT_MIN = 0.7;

/** Verdicts of a tree, weighted. */
interface Evidence {
  readonly seen: number;
  readonly right: number;
}

const NONE: Evidence = { seen: 0, right: 0 };
const SEEN_DAYS = `day > (now() at time zone 'UTC')::date - ${DAYS}`;

/** The evidence about trees for a poster, by all verdicts or by known answers alone. */
async function evidenceOf(
  db: Database,
  { rootIds, posterRoot }: { rootIds: readonly number[]; posterRoot: number },
  by: 'verdicts' | 'gold',
): Promise<ReadonlyMap<number, Evidence>> {
  const [seen, right] = by === 'gold' ? ['gold_seen', 'gold_right'] : ['judged', 'accepted'];
  const found = await rows(
    db,
    { root_id: column.id, poster_root: column.id, seen: column.int, right: column.int },
    `select root_id, poster_root, sum(${seen})::int as seen, sum(${right})::int as right
       from labor_verdict where root_id = any ($1) and ${SEEN_DAYS}
      group by 1, 2 having sum(${seen}) > 0`,
    [rootIds],
  );
  const paying = await payingAmong(
    db,
    found.map(({ poster_root: poster }) => poster),
  );
  const evidence = new Map<number, Evidence>();
  for (const verdicts of found) {
    const { root_id: rootId, poster_root: poster } = verdicts;
    if (poster !== posterRoot && !paying.has(poster)) continue;
    const most = poster === posterRoot ? verdicts.seen : OTHERS_MAX;
    const weight = Math.min(verdicts.seen, most);
    const before = evidence.get(rootId) ?? NONE;
    evidence.set(rootId, {
      seen: before.seen + weight,
      // An appeal of an earlier day may make it more than one.
      right: before.right + weight * Math.min(1, verdicts.right / verdicts.seen),
    });
  }
  return evidence;
}

/** Those of the trees whose work others, or this poster, have judged favourably often enough. */
export async function knownAmong(
  db: Database,
  who: { rootIds: readonly number[]; posterRoot: number },
): Promise<ReadonlySet<number>> {
  const evidence = await evidenceOf(db, who, 'verdicts');
  const isKnown = (rootId: number) => {
    const { seen, right } = evidence.get(rootId) ?? NONE;
    return seen >= SEEN_MIN && right >= RIGHT_MIN * seen;
  };
  return new Set(who.rootIds.filter(isKnown));
}

/**
 * Whether the caller's tree may take any unit of the task; false: only units with known answers,
 * until it has answered enough. Refuses a tree that has answered too many of them wrongly.
 */
export async function isQualified(
  { db, caller }: Tx,
  { min_accuracy, poster_root, gold }: LaborTask,
): Promise<boolean> {
  if (min_accuracy === null) return true;
  const who = { rootIds: [caller.rootId], posterRoot: poster_root };
  const { seen, right } = (await evidenceOf(db, who, 'gold')).get(caller.rootId) ?? NONE;
  if (seen >= SEEN_MIN && right >= min_accuracy * seen) return true;
  if (seen < SEEN_MIN && gold > 0) return false;
  throw unqualified(min_accuracy, { seen, right });
}

/** The refusal of a tree whose known answers are too few or too often wrong. */
export function unqualified(minAccuracy: number, { seen, right }: Evidence = NONE): Refusal {
  const message =
    `This labor task needs workers that have answered ${SEEN_MIN} units with known answers in ` +
    `${DAYS} days, ${minAccuracy * 100}% of them correctly. Another poster's count at most ` +
    `${OTHERS_MAX}. Of yours ${Math.floor(seen)} count.`;
  return new Refusal('forbidden', message, {
    min_accuracy: minAccuracy,
    gold_seen: Math.floor(seen),
    gold_right: Math.floor(right),
  });
}

/**
 * The known answers that a tree has given in this task or, if fewer than `min`, to this poster.
 * `given` are to be judged now.
 */
export async function goldOf(
  db: Database,
  { id, poster_root }: Pick<LaborTask, 'id' | 'poster_root'>,
  rootId: number,
  { min, given }: { min: number; given: Evidence },
): Promise<Evidence> {
  const [here = NONE] = await rows(
    db,
    { seen: column.int, right: column.int },
    `select gold_seen as seen, gold_right as right from labor_worker
      where task_id = $1 and root_id = $2`,
    [id, rootId],
  );
  const inTask = sumOf(here, given);
  if (inTask.seen >= min) return inTask;
  const [before = NONE] = await rows(
    db,
    { seen: column.int, right: column.int },
    `select coalesce(sum(gold_seen), 0)::int as seen, coalesce(sum(gold_right), 0)::int as right
       from labor_verdict where root_id = $1 and poster_root = $2 and ${SEEN_DAYS}`,
    [rootId, poster_root],
  );
  return sumOf(before, given);
}

const sumOf = (one: Evidence, other: Evidence): Evidence => ({
  seen: one.seen + other.seen,
  right: one.right + other.right,
});

/** A delivery that is judged, as it was before. */
interface Judged {
  readonly root_id: number;
  readonly expected: string | null;
  readonly judged_by: string | null;
}

/** Records verdicts on deliveries. A second verdict on one can only be more favourable. */
export async function recordVerdicts(
  db: Database,
  { id, poster_root }: Pick<LaborTask, 'id' | 'poster_root'>,
  claims: readonly Judged[],
  isRight: boolean,
): Promise<void> {
  const told = claims.filter(({ judged_by: before }) => before === null || isRight);
  if (told.length === 0) return;
  const values = [
    told.map(({ root_id: rootId }) => rootId),
    told.map(({ judged_by: before }) => (before === null ? 1 : 0)),
    told.map(({ expected }) => expected !== null),
    isRight ? 1 : 0,
  ];
  await execute(
    db,
    `insert into labor_verdict as kept
       (root_id, poster_root, day, judged, accepted, gold_seen, gold_right)
     select root_id, $5, (now() at time zone 'UTC')::date, sum(first), count(*) * $4,
            coalesce(sum(first) filter (where is_gold), 0), count(*) filter (where is_gold) * $4
       from unnest($1::bigint[], $2::int[], $3::boolean[]) as v(root_id, first, is_gold)
      group by root_id order by root_id
     on conflict (root_id, poster_root, day) do update
       set judged = kept.judged + excluded.judged, accepted = kept.accepted + excluded.accepted,
           gold_seen = kept.gold_seen + excluded.gold_seen,
           gold_right = kept.gold_right + excluded.gold_right`,
    [...values, poster_root],
  );
  await execute(
    db,
    `update labor_worker w
        set gold_seen = w.gold_seen + v.seen, gold_right = w.gold_right + v.count * $4
       from (select root_id, sum(first)::int as seen, count(*)::int as count
               from unnest($1::bigint[], $2::int[], $3::boolean[]) as v(root_id, first, is_gold)
              where is_gold group by root_id) v
      where w.task_id = $5 and w.root_id = v.root_id`,
    [...values, id],
  );
}
