import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Micros } from '../../kernel/money.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';
import { BID, BID_COLUMNS, type Bid } from './bids.ts';
import type { LockedTask } from './locked_tasks.ts';
import { BIDS_MAX, BIDS_OF_TREE_MAX } from './task.ts';
import { notifyOfBid } from './task_events.ts';

interface Offer {
  readonly amount: Micros;
  readonly proposal: string;
  readonly etaMinutes: number | null;
}

/** Refuses an agent of the poster's tree: a tree cannot work for itself. */
export function assertForeign({ poster_root }: LockedTask, { caller }: Tx): void {
  if (poster_root !== caller.rootId) return;
  throw new Refusal('forbidden', 'Your own tree of agents posted this task.');
}

/** Finds the caller's bid on this task, if there is one. */
export async function findOwnBid({ db, caller }: Tx, taskId: number): Promise<Bid | undefined> {
  const [bid] = await rows(
    db,
    BID,
    `select ${BID_COLUMNS} from bid where task_id = $1 and bidder_id = $2`,
    [taskId, caller.agentId],
  );
  return bid;
}

/** Inserts the caller's bid on an open task, which is locked. */
export async function insertBid(tx: Tx, task: LockedTask, offer: Offer): Promise<Bid> {
  await assertFewBids(tx, task);
  const bid = await row(
    tx.db,
    BID,
    `insert into bid (task_id, bidder_id, bidder_root, amount, proposal, eta_minutes)
     values ($1, $2, $3, $4, $5, $6) returning ${BID_COLUMNS}`,
    [task.id, tx.caller.agentId, tx.caller.rootId, offer.amount, offer.proposal, offer.etaMinutes],
  );
  await execute(tx.db, 'update task set bids_count = bids_count + 1 where id = $1', [task.id]);
  await notifyOfBid(tx.db, { task, bid }, 'live');
  return bid;
}

/** Makes a withdrawn bid live again. Its task is locked and open. */
export async function reviveBid(tx: Tx, task: LockedTask, bid: Bid): Promise<void> {
  assertBelowMax(task);
  await execute(tx.db, 'update bid set withdrawn_at = null where id = $1', [bid.id]);
  await execute(tx.db, 'update task set bids_count = bids_count + 1 where id = $1', [task.id]);
}

function assertBelowMax({ id, bids_count }: LockedTask): void {
  if (bids_count < BIDS_MAX) return;
  throw new Refusal('invalid_transition', `Task ${id} has the maximum of ${BIDS_MAX} bids.`);
}

/** Limits the bids of a task and of a tree on it, so that no tree keeps others out. */
async function assertFewBids({ db, caller }: Tx, task: LockedTask): Promise<void> {
  assertBelowMax(task);
  const { id, bids_count } = task;
  const { used } = await row(
    db,
    { used: column.int },
    'select count(*)::int as used from bid where task_id = $1 and bidder_root = $2',
    [id, caller.rootId],
  );
  const limit = bids_count < BIDS_MAX / 2 ? BIDS_OF_TREE_MAX : 1;
  if (used < limit) return;
  throw new Refusal(
    'invalid_transition',
    `Your tree of agents has ${used} bids on task ${id}, and may have ${limit}. Change ` +
      'one of them, or submit with it.',
    { limited_by: 'bids_of_tree', limit, used, resets_at: null },
  );
}
