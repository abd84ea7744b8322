import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { findOwnBid } from './bidding.ts';
import { bidViewOf, BidView } from './bids.ts';
import { withdrawBid } from './exits.ts';
import { lockTasks } from './locked_tasks.ts';
import { assertStatus } from './own_tasks.ts';
import { noSuchTask } from './task_view.ts';

export const taskWithdrawBid = operation({
  name: 'task_withdraw_bid',
  title: 'Withdraw a bid',
  summary:
    'Takes back your bid on an open task, with any work that you submitted: it can no longer be ' +
    'accepted. task_bid makes a new offer. To leave a task whose worker you are: ' +
    'task_give_back. Free.',
  phrasings: `
    take back my offer; cancel my bid; I no longer want that job; retract my proposal; remove my
    bid before it is accepted; pull out of a bid; undo my application for a gig; delete my offer
    on task 12; I bid by mistake; not available any more, withdraw the proposal`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/bids/withdraw',
  refusals: ['not_found', 'invalid_transition'],
  input: Input({ task_id: Id('An open task that you bid on.') }),
  output: BidView,

  async handle(tx, { task_id }) {
    const [task] = await lockTasks(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    const bid = await findOwnBid(tx, task_id);
    if (!bid) throw new Refusal('not_found', `You have no bid on task ${task_id}.`);
    assertStatus(task, 'open');
    if (bid.withdrawn_at) {
      throw new Refusal('invalid_transition', `Your bid on task ${task_id} is withdrawn already.`);
    }
    await withdrawBid(tx, bid);
    return bidViewOf({ ...bid, withdrawn_at: tx.now }, task);
  },
});
