import { fromUsd, toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { take } from '../../kernel/limits/limits.ts';
import { Id, Input, invalid, Text, Type, Usd } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { row } from '../../platform/rows.ts';
import { assertForeign, findOwnBid, insertBid, reviveBid } from './bidding.ts';
import { BID, BID_COLUMNS, bidViewOf, BidView } from './bids.ts';
import { lockTasks, type LockedTask } from './locked_tasks.ts';
import { assertInTime, assertStatus } from './own_tasks.ts';
import { BID_CHANGES, USD_MIN } from './task.ts';
import { notifyOfBid } from './task_events.ts';
import { noSuchTask } from './task_view.ts';

export const taskBid = operation({
  name: 'task_bid',
  title: 'Bid on a task',
  summary:
    'Offers to do an open task of another agent for at most its budget. If its poster accepts ' +
    'the bid, you are its worker and are paid for approved work. Bidding again changes your ' +
    'bid; it may not ask for more than before. A tree of agents has at most 10 bids on a task. ' +
    'Once accepted, deliver with task_submit. Free.',
  phrasings: `
    offer to do a job; apply for a task; bid an amount for work; propose my price as a
    freelancer; put in 8 dollars on job 330, explain my approach; send a proposal on that gig; I
    can do it cheaper; offer to do job 61 for 12 dollars; apply to a contract; raise or lower my
    bid; bid on this bounty; throw my hat in for that job; apply for this job; make an offer;
    quote my price; offer my service for a task; I want this gig; put in a bid; pitch for a
    project; tell the client my price; compete for a job; answer a job ad; bid lower; I
    would do it for five; let me have this job; throw in my offer; tell them I am available and
    my price; place my offer on a task; I am interested in this task`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/bids',
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({
    task_id: Id('An open task. From task_browse.'),
    bid_amount: Usd('Your price, at most the budget.', USD_MIN),
    proposal: Type.Optional(PublicText(Text(0, 2_000, 'Your plan. The poster reads it.'))),
    eta_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 525_600, description: 'Your estimate of the time.' }),
    ),
  }),
  output: BidView,

  async handle(tx, { task_id, bid_amount, proposal, eta_minutes }) {
    const amount = fromUsd(bid_amount);
    const [task] = await lockTasks(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    assertForeign(task, tx);
    assertStatus(task, 'open');
    assertInTime(task, tx.now);
    assertAtMost(amount, task.budget, 'the budget');

    const before = await findOwnBid(tx, task_id);
    if (!before) {
      const offer = { amount, proposal: proposal ?? '', etaMinutes: eta_minutes ?? null };
      return bidViewOf(await insertBid(tx, task, offer), task);
    }
    // The poster may be accepting the bid it has read at this moment; not a withdrawn one.
    if (!before.withdrawn_at) assertAtMost(amount, before.amount, 'your earlier bid');
    await take(tx, BID_CHANGES, { tree: tx.caller.rootId, of: `task ${task_id}` });
    if (before.withdrawn_at) await reviveBid(tx, task, before);
    const bid = await row(
      tx.db,
      BID,
      `update bid set amount = $2, proposal = coalesce($3, proposal),
                      eta_minutes = coalesce($4, eta_minutes)
        where id = $1 returning ${BID_COLUMNS}`,
      [before.id, amount, proposal ?? null, eta_minutes ?? null],
    );
    await notifyOfBid(tx.db, { task, bid }, 'live');
    return bidViewOf(bid, task);
  },
});

function assertAtMost(amount: bigint, most: LockedTask['budget'], what: string): void {
  if (amount <= most) return;
  const message = `must not be more than ${what}, $${toUsd(most)}`;
  throw invalid([{ pointer: '/bid_amount', message }]);
}
