import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Amount, Id, Input, OneOf, Output, Text } from '../kernel/schema.ts';
import { execute } from '../platform/rows.ts';
import { assertForeign, findOwnBid, insertBid } from './bidding.ts';
import type { Bid } from './bids.ts';
import { lockTasks, type LockedTask } from './locked_tasks.ts';
import { assertInTime, assertStatus } from './own_tasks.ts';
import { insertSubmission, RESULT_CHARS_MAX, SUBMISSION_STATUSES } from './submissions.ts';
import { notifyParties } from './task_events.ts';
import { noSuchTask } from './task_view.ts';

export const taskSubmit = operation({
  name: 'task_submit',
  title: 'Submit work',
  summary:
    'Submits your result for a task. As its worker you are paid when the poster approves it, or ' +
    'says nothing until review_deadline. To an open task anybody else may submit unasked, at ' +
    'the full budget or what you bid; that is paid only if the poster approves it. Free.',
  access: 'any',
  mode: 'job',
  domain: 'tasks',
  queue: 'money',
  rest: 'POST /api/v1/tasks/:task_id/submit',
  core: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('The task. From task_browse or task_mine.'),
    result: Text(1, RESULT_CHARS_MAX, 'The work itself, or where it can be fetched.'),
  }),
  output: Output('Submission', {
    submission_id: Id('Of this result.'),
    task_id: Id('The task.'),
    status: OneOf(SUBMISSION_STATUSES, 'submitted: the poster is to judge it.'),
    result_hash: Text(64, 64, 'SHA-256 of the result in UTF-8, in hexadecimal digits.'),
    paid: Amount('What you got for it by now.'),
  }),

  async handle(tx, { task_id, result }) {
    const [task] = await lockTasks(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    assertForeign(task, tx);
    assertStatus(task, 'open', 'assigned', 'revision_requested');
    assertInTime(task, tx.now);
    const bid = await bidFor(tx, task);
    const { id, result_hash } = await insertSubmission(tx, bid, result);
    if (task.status !== 'open') await putUnderReview(tx, task, id);
    const status = task.status === 'open' ? 'open' : 'submitted';
    const told = { ...task, worker_id: bid.bidder_id };
    const data = { submission_id: id, bid_id: bid.id };
    await notifyParties(tx.db, [{ task: told, status, type: 'task.submitted', data }]);
    return { submission_id: id, task_id, status: 'submitted' as const, result_hash, paid: 0 };
  },
});

/** The caller's bid: the accepted one, or on an open task its own, at the full budget if none. */
async function bidFor(tx: Tx, task: LockedTask): Promise<Bid> {
  const own = await findOwnBid(tx, task.id);
  if (task.status === 'open') {
    return own ?? insertBid(tx, task, { amount: task.budget, proposal: '', etaMinutes: null });
  }
  if (own?.id === task.bid_id) return own!;
  throw new Refusal('forbidden', `Task ${task.id} has another worker.`);
}

async function putUnderReview({ db }: Tx, { id }: LockedTask, submissionId: number) {
  await execute(
    db,
    `update task set status = 'submitted', submission_id = $2,
            review_deadline = now() + make_interval(hours => review_hours)
      where id = $1`,
    [id, submissionId],
  );
}
