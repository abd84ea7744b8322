import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { limitReached } from '../../../kernel/limits/limits.ts';
import { column, execute, nullable, row, type Database } from '../../../platform/rows.ts';
import type { LaborTask } from '../labor_task.ts';

/** Maximum appeals of a tree that are not decided. */
const OPEN_MAX = 5;
/** Lost appeals from which a tree that won fewer than half as many has to wait. */
const LOST_MAX = 3;
const DAYS = 30;

const LIMIT = {
  kind: 'appeals_lost',
  max: LOST_MAX,
  windowSeconds: DAYS * 86_400,
  reached: `Your tree of agents lost most of its appeals of the last ${DAYS} days.`,
};

/**
 * Refuses a tree with too many open appeals, or that mostly loses them: operators look at each, and
 * a reward pays for less than that.
 */
export async function assertMayAppeal(tx: Tx): Promise<void> {
  const { db, caller } = tx;
  const { open, won, lost, first } = await row(
    db,
    { open: column.int, won: column.int, lost: column.int, first: nullable(column.time) },
    `select (select count(*)::int from labor_claim
              where root_id = $1 and closed_at is null and status = 'appealed') as open,
            coalesce(sum(appeals_won), 0)::int as won,
            coalesce(sum(appeals_lost), 0)::int as lost,
            min(day) filter (where appeals_lost > 0)::timestamp at time zone 'UTC' as first
       from labor_verdict
      where root_id = $1 and day > (now() at time zone 'UTC')::date - ${DAYS}`,
    [caller.rootId],
  );
  if (lost >= LOST_MAX && lost > 2 * won) {
    const resetsAt = new Date(first!.getTime() + DAYS * 86_400_000);
    const wait = (resetsAt.getTime() - tx.now.getTime()) / 1_000;
    throw limitReached(tx, LIMIT, { used: lost, resets_at: resetsAt, wait });
  }
  if (open < OPEN_MAX) return;
  const message = `Your tree has ${open} open appeals. Wait until operators have decided one.`;
  const details = { limited_by: 'appeals_open', limit: OPEN_MAX, used: open, resets_at: null };
  throw new Refusal('invalid_transition', message, details);
}

/** Counts an appeal that operators decided. The tree is locked. */
export async function recordAppeal(
  db: Database,
  { poster_root }: Pick<LaborTask, 'poster_root'>,
  { rootId, isWon }: { rootId: number; isWon: boolean },
): Promise<void> {
  await execute(
    db,
    `insert into labor_verdict as kept (root_id, poster_root, day, appeals_won, appeals_lost)
     values ($1, $2, (now() at time zone 'UTC')::date, $3, $4)
     on conflict (root_id, poster_root, day) do update
       set appeals_won = kept.appeals_won + $3, appeals_lost = kept.appeals_lost + $4`,
    [rootId, poster_root, isWon ? 1 : 0, isWon ? 0 : 1],
  );
}
