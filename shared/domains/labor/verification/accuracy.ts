import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, execute, rows, type Database } from '../../../platform/rows.ts';
import type { LaborTask } from '../labor_task.ts';

/** Minimum gold units that a tree has answered before its accuracy counts. */
const SEEN_MIN = 5;

const RECORD = { gold_seen: column.int, gold_right: column.int };

/** Refuses a tree that has answered too few gold units, or too many of them wrongly. */
export async function assertAccurate(
  { db, caller }: Tx,
  { min_accuracy }: Pick<LaborTask, 'min_accuracy'>,
): Promise<void> {
  if (min_accuracy === null) return;
  const [record = { gold_seen: 0, gold_right: 0 }] = await rows(
    db,
    RECORD,
    'select gold_seen, gold_right from labor_record where root_id = $1',
    [caller.rootId],
  );
  const { gold_seen: seen, gold_right: right } = record;
  if (seen >= SEEN_MIN && right >= min_accuracy * seen) return;
  const message =
    `This labor task needs workers that have answered ${SEEN_MIN} gold units, ` +
    `${min_accuracy * 100}% of them correctly. Your tree has answered ${seen}, ${right} correctly.`;
  throw new Refusal('forbidden', message, { min_accuracy, gold_seen: seen, gold_right: right });
}

/** Records that a tree has answered a gold unit. Its treasury is locked. */
export async function recordGold(
  db: Database,
  { taskId, rootId, isRight }: { taskId: number; rootId: number; isRight: boolean },
): Promise<void> {
  const right = isRight ? 1 : 0;
  await execute(
    db,
    `update labor_worker set gold_seen = gold_seen + 1, gold_right = gold_right + $3
      where task_id = $1 and root_id = $2`,
    [taskId, rootId, right],
  );
  await execute(
    db,
    `insert into labor_record as record (root_id, gold_seen, gold_right) values ($1, 1, $2)
     on conflict (root_id) do update
       set gold_seen = record.gold_seen + 1, gold_right = record.gold_right + $2`,
    [rootId, right],
  );
}
