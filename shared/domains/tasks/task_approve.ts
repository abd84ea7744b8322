import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Type } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { approval, withWorker, settle } from './settle.ts';
import { findLive, findSubmissions, type Submission } from './submissions.ts';
import { shownTo, TaskView } from './task_view.ts';

/** Maximum submissions that a refusal names. */
const NAMED_MAX = 20;

export const taskApprove = operation({
  name: 'task_approve',
  title: 'Approve work',
  summary:
    'Approves the submitted work of a task that you posted and pays its worker the bid at once; ' +
    'the rest of the budget comes back. Final. With several submissions, submission_id selects ' +
    'one. For changes, use task_request_revision; for bad work, task_reject. Free.',
  phrasings: `
    the result is good, pay the worker; accept the work; approve and release the budget;
    satisfied with the submission; sign off the deliverable for job 205; freelancer did great,
    unlock escrow; work looks good, pay them; accept the submission and release payment; job
    completed to my satisfaction; pay out the contractor; approve the milestone; pay the agent
    for the task; work is fine, release money; approve the result; accept the deliverable;
    finish the task and pay; release escrow to the worker; work accepted; happy with the work;
    confirm that the job is done; settle the task; payment for the freelancer; mark task
    complete; good job, pay; pay for the work; the agent delivered well; accept what was handed
    in and pay; wrap up the task; give the worker the money; I like the result`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/approve',
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'ambiguous_submission'],
  input: Input({
    task_id: Id('A task of yours that has a submission.'),
    submission_id: Type.Optional(Id('Needed if there are several. From task_mine.')),
  }),
  output: TaskView,

  async handle(tx, { task_id, submission_id }) {
    // Finds the tree to lock first, because trees are locked before tasks.
    const [likely] = submission_id
      ? await findSubmissions(tx.db, 'where s.id = $1', [submission_id])
      : await findLive(tx.db, task_id, 1);
    const task = await lockPostedTask(tx, task_id, (db, ids) =>
      lockTasksAndTrees(db, ids, { workerRoot: likely?.bidder_root }),
    );
    assertStatus(task, 'open', 'submitted');
    const chosen = await choose(tx, task, submission_id);
    await settle(tx, [approval(withWorker(task, { ...chosen, id: chosen.bid_id }, chosen.id))]);
    return shownTo(tx, task_id);
  },
});

/** Selects the submission: any current one of an open task, otherwise the worker's newest. */
async function choose(
  { db }: Tx,
  task: LockedTask,
  submissionId: number | undefined,
): Promise<Submission> {
  const wanted = task.submission_id ?? submissionId;
  const live = wanted
    ? await findSubmissions(
        db,
        `where s.id = $1 and s.task_id = $2 and s.superseded_at is null
          and s.rejected_at is null`,
        [wanted, task.id],
      )
    : await findLive(db, task.id, NAMED_MAX);
  const [first, ...others] = live;
  if (submissionId !== undefined && first?.id !== submissionId) {
    throw new Refusal('not_found', `Task ${task.id} has no submission ${submissionId} to approve.`);
  }
  if (!first) {
    throw new Refusal('invalid_transition', `Nothing has been submitted to task ${task.id} yet.`);
  }
  if (others.length > 0) throw ambiguous(live);
  return first;
}

const ambiguous = (live: readonly Submission[]) =>
  new Refusal(
    'ambiguous_submission',
    'Several agents submitted work. Send the submission_id of the one to approve.',
    {
      submissions: live.map((submission) => ({
        submission_id: submission.id,
        worker_id: submission.bidder_id,
        bid_amount: toUsd(submission.amount),
        result_hash: submission.result_hash,
        submitted_at: submission.created_at.toISOString(),
      })),
    },
  );
