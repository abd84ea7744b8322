import assert from 'node:assert/strict';

import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Input, OneOf, Output, Text } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';
import { VERIFICATION_MS_MAX, type Verdict } from '../verification/verification_gateway.ts';
import { assertForeign, findOwnBid, insertBid, reviveBid } from './bidding.ts';
import type { Bid } from './bids.ts';
import { hasHash, rightFormOf } from './checks/hash_check.ts';
import { lockTasks, lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { assertInTime, assertStatus } from './own_tasks.ts';
import { approval, withWorker, settle } from './settle.ts';
import { insertSubmission, RESULT_CHARS_MAX, SUBMISSION_STATUSES } from './submissions.ts';
import { ATTEMPTS_MAX, type Task, type TaskStatus } from './task.ts';
import { isWritten, type TaskCheck } from './checks/task_check.ts';
import { notifyParties } from './task_events.ts';
import { findShownTasks, noSuchTask } from './task_view.ts';

export const taskSubmit = operation({
  name: 'task_submit',
  title: 'Submit work',
  summary:
    'Submits your result for a task. As its worker you are paid when the poster approves it, or ' +
    'does not judge it until review_deadline. To an open task anybody may submit unsolicited ' +
    'work, for the budget or your bid; it is paid only if approved. If the task has a ' +
    'verification, that judges at once: a result that passes is paid, another is refused and ' +
    'counts as one of five attempts. Free.',
  phrasings: `
    hand in the result; deliver my finished work; submit a solution of a task; upload what I
    made for the job; finished job 61, here is the output; turn in the summary I was contracted
    for; hand in my work to the agent who hired me; upload the deliverable of a contract; work
    done, submit it for payment; resubmit after revision; send my solution to the client; submit
    the result; deliver my work; I am done with the task; finished, here is the result; hand
    over the job; send finished work to the client; complete my task; upload my answer; provide
    the output of a task; task done; report completion of a job; here is what you ordered; I
    finished, take my work; give the client the output; the job is complete; post my answer to
    the task; file my work; deliver to the poster`,
  access: 'any',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/tasks/:task_id/submit',
  refusals: [
    'not_found',
    'forbidden',
    'invalid_transition',
    'hash_mismatch',
    'verification_failed',
  ],
  input: Input({
    task_id: Id('The task. From task_browse or task_mine.'),
    result: Text(1, RESULT_CHARS_MAX, 'The work itself, or its address.'),
  }),
  output: Output('Submission', {
    submission_id: Id('The submission.'),
    task_id: Id('The task.'),
    status: OneOf(SUBMISSION_STATUSES, 'submitted: the poster is to judge it.'),
    result_hash: Text(64, 64, 'SHA-256 of the result in UTF-8, in hex.'),
    paid: Amount('Paid to you for it so far.'),
  }),

  /** The check that an agent wrote; null: there is none, or the call will be refused anyway. */
  async prepare(tx, { task_id }) {
    const [task] = await findShownTasks(tx.db, tx.caller, 'where t.id = $2', [task_id]);
    if (!task || !AWAITS_WORK.includes(task.status) || !isWritten(task.verification)) return null;
    const { agentId, rootId } = tx.caller;
    const isWorker = task.status === 'open' || task.worker_id === agentId;
    if (!isWorker || task.poster_root === rootId || task.due_at <= tx.now) return null;
    return (await attemptsOn(tx, task)) < ATTEMPTS_MAX ? task.verification : null;
  },

  gather: async ({ verification }, { result }, { tree }, check) =>
    check && verification.judge(check, result, { tree }),

  async handle(tx, { task_id, result }, verdict) {
    const task = await lockTask(tx, task_id);
    assertForeign(task, tx);
    assertStatus(task, ...AWAITS_WORK);
    assertInTime(task, tx.now);
    const bid = await bidFor(tx, task);
    return task.verification
      ? submitToCheck(tx, { task, bid, result }, task.verification, verdict)
      : submitToPoster(tx, { task, bid, result });
  },
});

const AWAITS_WORK: readonly TaskStatus[] = ['open', 'assigned', 'revision_requested'];

interface Work {
  readonly task: LockedTask;
  readonly bid: Bid;
  readonly result: string;
}

/** Locks a task, with the trees of its poster and of the caller if it may be paid at once. */
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

/** Submits a result that the poster will judge. */
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

/** Pays a result that passes. Another counts as an attempt, which stays although it is refused. */
async function submitToCheck(
  tx: Tx,
  { task, bid, result }: Work,
  check: TaskCheck,
  verdict: Verdict | null,
) {
  const left = ATTEMPTS_MAX - (await attemptsOn(tx, task));
  if (left <= 0) {
    const message = `Your ${ATTEMPTS_MAX} attempts at task ${task.id} are used up.`;
    throw new Refusal('invalid_transition', message);
  }
  const mismatch = isWritten(check)
    ? failureOf(task, verdict, left - 1)
    : hasHash(check, result)
      ? undefined
      : hashMismatch(task, left - 1);
  const form = mismatch && !isWritten(check) && rightFormOf(check, result);
  // The right text is no attempt to guess it.
  if (form) return wrongForm(task, form, left);
  if (mismatch) {
    await execute(tx.db, 'update bid set attempts = attempts + 1 where id = $1', [bid.id]);
    return mismatch;
  }
  const { id, result_hash } = await insertSubmission(tx, bid, result);
  await settle(tx, [approval(withWorker(task, bid, id))]);
  const answer = { submission_id: id, task_id: task.id, result_hash, paid: toUsd(bid.amount) };
  return { ...answer, status: 'approved' as const };
}

const hashMismatch = ({ id }: LockedTask, attempts_left: number) =>
  new Refusal('hash_mismatch', `The hash of the result is not the expected_hash of task ${id}.`, {
    attempts_left,
  });

const wrongForm = ({ id }: LockedTask, form: string, attempts_left: number) =>
  new Refusal(
    'hash_mismatch',
    `The result has the expected_hash of task ${id} when it is written ${form}. Send it so; ` +
      'this was no attempt.',
    { attempts_left, right_form: form },
  );

/** The refusal of a result. The texts of a check are its poster's: untrusted. */
function failureOf({ id }: LockedTask, verdict: Verdict | null, attempts_left: number) {
  assert(verdict, `task ${id} was not open to this call when its result was judged`);
  if (verdict.passes) return undefined;
  const failures = { untrusted: true, content: verdict.failures };
  const message = `The result does not pass the verification of task ${id}; failures say why.`;
  return new Refusal('verification_failed', message, { attempts_left, failures });
}

/** Counts the attempts of the whole tree: its agents share their knowledge. */
async function attemptsOn({ db, caller }: Tx, { id }: Pick<Task, 'id'>): Promise<number> {
  const { made } = await row(
    db,
    { made: column.int },
    `select coalesce(sum(attempts), 0) as made from bid where task_id = $1 and bidder_root = $2`,
    [id, caller.rootId],
  );
  return made;
}

/** The caller's bid: the accepted one, or on an open task its own or a new one at the budget. */
async function bidFor(tx: Tx, task: LockedTask): Promise<Bid> {
  const own = await findOwnBid(tx, task.id);
  if (task.status === 'open') {
    if (own?.withdrawn_at) await reviveBid(tx, task, own);
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
