import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Amount, Id, Input, OneOf, Output, Text } from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { column, execute, row, rows } from '../platform/rows.ts';
import { assertForeign, findOwnBid, insertBid } from './bidding.ts';
import type { Bid } from './bids.ts';
import { hasHash, type HashCheck } from './hash_check.ts';
import { lockTasks, lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { assertInTime, assertStatus } from './own_tasks.ts';
import { approval, doneBy, settle } from './settle.ts';
import { insertSubmission, RESULT_CHARS_MAX, SUBMISSION_STATUSES } from './submissions.ts';
import { ATTEMPTS_MAX } from './task.ts';
import { notifyParties } from './task_events.ts';
import { noSuchTask } from './task_view.ts';

export const taskSubmit = operation({
  name: 'task_submit',
  title: 'Submit work',
  summary:
    'Submits your result for a task. As its worker you are paid when the poster approves it, or ' +
    'does not judge it until review_deadline. To an open task anybody may submit unasked, at the ' +
    'full budget or what you bid; that is paid only if approved. A result with the expected_hash ' +
    'of its task is paid at once. Free.',
  access: 'any',
  mode: 'job',
  domain: 'tasks',
  queue: 'money',
  rest: 'POST /api/v1/tasks/:task_id/submit',
  core: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'hash_mismatch'],
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
    const task = await lockTask(tx, task_id);
    assertForeign(task, tx);
    assertStatus(task, 'open', 'assigned', 'revision_requested');
    assertInTime(task, tx.now);
    const bid = await bidFor(tx, task);
    return task.verification
      ? submitToCheck(tx, { task, bid, result }, task.verification)
      : submitToPoster(tx, { task, bid, result });
  },
});

interface Work {
  readonly task: LockedTask;
  readonly bid: Bid;
  readonly result: string;
}

/** With the trees of its poster and of the caller, if the result may be paid at once. */
async function lockTask({ db, caller }: Tx, taskId: number): Promise<LockedTask> {
  const [found] = await rows(
    db,
    { pays: column.boolean },
    'select verification is not null as pays from task where id = $1',
    [taskId],
  );
  if (!found) throw noSuchTask(taskId);
  const [task] = found.pays
    ? await lockTasksAndTrees(db, [taskId], { workerRoot: caller.rootId })
    : await lockTasks(db, [taskId]);
  return task!;
}

/** The poster is to judge it. */
async function submitToPoster(tx: Tx, { task, bid, result }: Work) {
  const { id, result_hash } = await insertSubmission(tx, bid, result);
  if (task.status !== 'open') await putUnderReview(tx, task, id);
  const status = task.status === 'open' ? 'open' : 'submitted';
  const told = { ...task, worker_id: bid.bidder_id };
  const data = { submission_id: id, bid_id: bid.id };
  await notifyParties(tx.db, [{ task: told, status, type: 'task.submitted', data }]);
  const answer = { submission_id: id, task_id: task.id, result_hash, paid: 0 };
  return { ...answer, status: 'submitted' as const };
}

/** It passes and is paid, or it counts as an attempt: what it writes then stays. */
async function submitToCheck(tx: Tx, { task, bid, result }: Work, check: HashCheck) {
  const left = ATTEMPTS_MAX - (await attemptsOn(tx, task));
  if (left <= 0) {
    const message = `Your ${ATTEMPTS_MAX} attempts at task ${task.id} are used up.`;
    throw new Refusal('invalid_transition', message);
  }
  if (!hasHash(check, result)) {
    await execute(tx.db, 'update bid set attempts = attempts + 1 where id = $1', [bid.id]);
    const message = `The result has not the hash that task ${task.id} expects.`;
    return new Refusal('hash_mismatch', message, { attempts_left: left - 1 });
  }
  const { id, result_hash } = await insertSubmission(tx, bid, result);
  await settle(tx.db, [approval(doneBy(task, bid, id))]);
  const answer = { submission_id: id, task_id: task.id, result_hash, paid: toUsd(bid.amount) };
  return { ...answer, status: 'approved' as const };
}

/** Of the whole tree: its agents share what they know. */
async function attemptsOn({ db, caller }: Tx, { id }: LockedTask): Promise<number> {
  const { made } = await row(
    db,
    { made: column.int },
    `select coalesce(sum(attempts), 0) as made from bid where task_id = $1 and bidder_root = $2`,
    [id, caller.rootId],
  );
  return made;
}

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
