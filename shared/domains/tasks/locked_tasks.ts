import type { EntityManager } from 'typeorm';

import { lockTreasuries } from '../ledger/ledger.ts';
import { column, execute, namesOf, nullable, rows, type Row } from '../../platform/rows.ts';
import { TASK } from './task.ts';

const OF_TASK = { ...TASK, poster_root: column.id };
const LOCKED_TASK = {
  ...OF_TASK,
  /** The UTC day (YYYY-MM-DD) whose spending limits the budget counts towards. */
  spent_on: column.text,
  /** The worker, of the accepted bid. */
  worker_id: nullable(column.id),
  worker_root: nullable(column.id),
  bid_amount: nullable(column.micros),
  eta_minutes: nullable(column.int),
};
/** A task whose row is locked until the transaction ends. */
export type LockedTask = Row<typeof LOCKED_TASK>;

/** Locks tasks whose money does not move. */
export async function lockTasks(
  db: EntityManager,
  taskIds: readonly number[],
): Promise<LockedTask[]> {
  await execute(db, 'select from task where id = any ($1) order by id for no key update', [
    taskIds,
  ]);
  // Read after locking: a bid may have been accepted meanwhile.
  return rows(
    db,
    LOCKED_TASK,
    `select ${namesOf(OF_TASK, 't')}, t.spent_on::text, bid.bidder_id as worker_id,
            bid.bidder_root as worker_root, bid.amount as bid_amount, bid.eta_minutes
       from task t left join bid on bid.id = t.bid_id where t.id = any ($1) order by t.id`,
    [taskIds],
  );
}

/**
 * Locks tasks whose escrows may be emptied, in the order that all transactions use: first the trees
 * of their posters and workers and of the author of this submission, then the tasks.
 */
export async function lockTasksAndTrees(
  db: EntityManager,
  taskIds: readonly number[],
  { workerRoot }: { workerRoot?: number | undefined } = {},
): Promise<LockedTask[]> {
  const parties = await rows(
    db,
    { root_id: column.id },
    `select distinct root_id
       from task t left join bid on bid.id = t.bid_id
      cross join lateral (values (t.poster_root), (bid.bidder_root)) r (root_id)
      where t.id = any ($1) and root_id is not null`,
    [taskIds],
  );
  const roots = [...parties.map(({ root_id }) => root_id), ...(workerRoot ? [workerRoot] : [])];
  await lockTreasuries(db, roots);
  return lockTasks(db, taskIds);
}
