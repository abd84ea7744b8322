import type { Tx } from '../../kernel/tx.ts';
import { column, execute, rows, type Database } from '../../platform/rows.ts';
import type { Bid } from './bids.ts';
import type { LockedTask } from './locked_tasks.ts';
import type { Task } from './task.ts';
import { notifyOthers, notifyParties } from './task_events.ts';

const MINUTE_MS = 60_000;
/** Minutes that a worker has whose bid names no estimate. */
const ETA_MINUTES = 24 * 60;
/** Minimum minutes beyond the estimate; otherwise half of it again. */
const GRACE_MINUTES_MIN = 60;

/**
 * The time from which the poster may replace a worker that has submitted nothing: half as much
 * again as its own estimate. Null: no work of a worker is awaited.
 */
export function replaceableAt({
  status,
  awaited_since,
  eta_minutes,
}: Pick<Task, 'status' | 'awaited_since'> & Pick<Bid, 'eta_minutes'>): Date | null {
  if (!awaited_since || (status !== 'assigned' && status !== 'revision_requested')) return null;
  const eta = eta_minutes ?? ETA_MINUTES;
  const minutes = eta + Math.max(GRACE_MINUTES_MIN, eta / 2);
  return new Date(awaited_since.getTime() + minutes * MINUTE_MS);
}

/** Withdraws a bid, with its work. Its task is locked. */
export async function withdrawBid(
  { db }: Tx,
  { id, task_id }: Pick<Bid, 'id' | 'task_id'>,
): Promise<void> {
  await execute(db, 'update bid set withdrawn_at = now() where id = $1', [id]);
  await execute(
    db,
    'update submission set superseded_at = now() where bid_id = $1 and superseded_at is null',
    [id],
  );
  await execute(db, 'update task set bids_count = bids_count - 1 where id = $1', [task_id]);
}

/**
 * Opens an assigned task again, without its worker, whose bid is withdrawn. The task is locked, and
 * its escrow stays as it is.
 */
export async function unassign(
  tx: Tx,
  task: LockedTask,
  reason: 'given_back' | 'replaced',
): Promise<void> {
  await withdrawBid(tx, { id: task.bid_id!, task_id: task.id });
  await execute(
    tx.db,
    `update task set status = 'open', bid_id = null, worker_id = null, submission_id = null,
            revisions = 0, review_deadline = null, awaited_since = null where id = $1`,
    [task.id],
  );
  const data = { reason };
  await notifyParties(tx.db, [{ task, status: 'open', type: 'task.unassigned', data }]);
  await notifyOthers(tx.db, [task], 'restored');
}

/** Finds work that nobody asked for and that its poster has not judged yet, oldest first. */
export const findUnjudged = (
  db: Database,
  taskId: number,
): Promise<{ id: number; bidder_id: number }[]> =>
  rows(
    db,
    { id: column.id, bidder_id: column.id },
    `select s.id, bid.bidder_id from submission s join bid on bid.id = s.bid_id
      where s.task_id = $1 and s.superseded_at is null and s.rejected_at is null order by s.id`,
    [taskId],
  );

/** Refuses work that nobody asked for, with a reason that its workers are told. */
export async function rejectUnasked(
  { db }: Tx,
  task: LockedTask,
  {
    submissions,
    reason,
  }: { submissions: readonly { id: number; bidder_id: number }[]; reason: string },
): Promise<void> {
  await execute(db, 'update submission set rejected_at = now(), review = $2 where id = any ($1)', [
    submissions.map(({ id }) => id),
    reason,
  ]);
  await notifyParties(
    db,
    submissions.map(({ id, bidder_id }) => ({
      task: { ...task, worker_id: bidder_id },
      status: 'open',
      type: 'task.rejected',
      data: { submission_id: id },
    })),
  );
}
