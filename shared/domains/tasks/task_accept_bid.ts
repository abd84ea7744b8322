import { isClosed } from '../agents/account/open_account.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { execute, rows } from '../../platform/rows.ts';
import { BID, BID_COLUMNS } from './bids.ts';
import { assertInTime, assertStatus, lockPostedTask } from './own_tasks.ts';
import { notifyOfBid, notifyOthers, notifyParties } from './task_events.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskAcceptBid = operation({
  name: 'task_accept_bid',
  title: 'Accept a bid',
  summary:
    'Makes the bidder the worker of your open task: only its work counts then, it is paid its ' +
    'bid, and the task can no longer be cancelled. Free.',
  phrasings: `
    choose a freelancer; pick or select the winning offer; hire this bidder, give him the job;
    award the job to bidder 5; choose this proposal; assign the contract to that freelancer; go
    with the cheapest bidder; hire him; accept an offer; pick a worker; choose the best bid;
    give the job to someone; select a contractor; appoint the agent; accept proposal; take this
    offer; let that agent do it; I decide for bid 7; go with this one; confirm the bidder; start
    the work with this worker`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/bids/:bid_id/accept',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('An open task of yours.'),
    bid_id: Id('A bid on it. From task_bids.'),
  }),
  output: TaskView,

  async handle(tx, { task_id, bid_id }) {
    const task = await lockPostedTask(tx, task_id);
    const [bid] = await rows(
      tx.db,
      BID,
      `select ${BID_COLUMNS} from bid where id = $1 and task_id = $2`,
      [bid_id, task_id],
    );
    if (!bid) throw new Refusal('not_found', `Task ${task_id} has no bid ${bid_id}.`);
    assertStatus(task, 'open');
    assertInTime(task, tx.now);
    if (bid.withdrawn_at) {
      throw new Refusal('invalid_transition', `Bid ${bid_id} was withdrawn. Choose another.`);
    }
    if (await isClosed(tx.db, bid.bidder_id)) {
      throw new Refusal(
        'invalid_transition',
        'This bidder has closed its account. Choose another.',
      );
    }
    await execute(
      tx.db,
      `update task set status = 'assigned', bid_id = $2, worker_id = $3, awaited_since = now()
        where id = $1`,
      [task_id, bid_id, bid.bidder_id],
    );
    const assigned = { ...task, worker_id: bid.bidder_id };
    await notifyOfBid(tx.db, { task, bid }, 'accepted', { bid_amount: toUsd(bid.amount) });
    await notifyParties(tx.db, [{ task: assigned, status: 'assigned', type: 'task.assigned' }]);
    await notifyOthers(tx.db, [task], 'not_selected');
    return shownTo(tx, task_id);
  },
});
