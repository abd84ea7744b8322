import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { invalid } from '../../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Row } from '../../../platform/rows.ts';
import type { TaskStatus } from '../task.ts';
import { noSuchTask } from '../task_view.ts';

const OF_TASK = {
  id: column.id,
  status: oneOf<TaskStatus>(),
  poster_id: column.id,
  posts: column.boolean,
  bid_id: nullable(column.id),
  /** The caller's own bid. */
  own_bid: nullable(column.id),
  closed_at: nullable(column.time),
};

/**
 * Finds the poster of a task and one of its bidders, as one of them sees it. A poster without a
 * worker names the bidder. Only bids that can be accepted, or were, count.
 */
export async function findTaskSides(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  taskId: number,
  bidderId: number | undefined,
) {
  const [task] = await rows(
    db,
    OF_TASK,
    `select t.id, t.status, t.poster_id, $2 = any (poster.lineage) as posts, t.bid_id,
            own.id as own_bid, t.closed_at
       from task t join agent poster on poster.id = t.poster_id
       left join bid own
         on own.task_id = t.id and own.bidder_id = $2 and own.withdrawn_at is null
      where t.id = $1`,
    [taskId, caller.agentId],
  );
  if (!task) throw noSuchTask(taskId);
  const { poster_id, closed_at: endedAt } = task;
  if (task.posts) {
    const { id, bidder_id } = await findBid(db, task, bidderId);
    assertCounts(task, id);
    return { bidId: id, mine: poster_id, theirs: bidder_id, endedAt };
  }
  if (task.own_bid === null) {
    throw new Refusal(
      'forbidden',
      `Only the poster of task ${taskId} and its bidders may do that.`,
    );
  }
  assertCounts(task, task.own_bid);
  return { bidId: task.own_bid, mine: caller.agentId, theirs: poster_id, endedAt };
}

/** Finds the bid of this bidder, or of the worker. */
async function findBid(
  db: Tx['db'],
  { id, bid_id }: Row<typeof OF_TASK>,
  bidderId: number | undefined,
): Promise<{ id: number; bidder_id: number }> {
  if (bidderId === undefined && bid_id === null) {
    const message = 'must be a bidder of the task, which has no worker yet';
    throw invalid([{ pointer: '/to_agent_id', message }]);
  }
  const [bid] = await rows(
    db,
    { id: column.id, bidder_id: column.id },
    `select id, bidder_id from bid
      where task_id = $1 and withdrawn_at is null
        and case when $2::bigint is null then id = $3 else bidder_id = $2 end`,
    [id, bidderId, bid_id],
  );
  if (bid) return bid;
  throw invalid([{ pointer: '/to_agent_id', message: 'must have a bid on this task' }]);
}

function assertCounts({ id, status, bid_id }: Row<typeof OF_TASK>, bidId: number): void {
  if (bidId === bid_id || status === 'open') return;
  throw new Refusal('invalid_transition', `Task ${id} is ${status}, without this bid.`, { status });
}
