import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Type } from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { approval, doneBy, settle } from './settle.ts';
import { findLive, findSubmissions, type Submission } from './submissions.ts';
import { shownTo, TaskView } from './task_view.ts';

/** How many submissions a refusal names. */
const NAMED_MAX = 20;

export const taskApprove = operation({
  name: 'task_approve',
  title: 'Approve work',
  summary:
    'Approves the submitted work of a task that you posted and pays its worker at once what it ' +
    'bid; the rest of the budget is yours again. Final. With several submissions, submission_id ' +
    'says which. Free.',
  access: 'buy',
  mode: 'write',
  domain: 'tasks',
  rest: 'POST /api/v1/tasks/:task_id/approve',
  core: true,
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'ambiguous_submission'],
  input: Input({
    task_id: Id('A task of yours that has a submission.'),
    submission_id: Type.Optional(Id('Which, if there are several. From task_mine.')),
  }),
  output: TaskView,

  async handle(tx, { task_id, submission_id }) {
    // Whose tree to lock is looked up before, because trees are locked before tasks.
    const [likely] = submission_id
      ? await findSubmissions(tx.db, 'where s.id = $1', [submission_id])
      : await findLive(tx.db, task_id, 1);
    const task = await lockPostedTask(tx, task_id, (db, ids) =>
      lockTasksAndTrees(db, ids, { workerRoot: likely?.bidder_root }),
    );
    assertStatus(task, 'open', 'submitted');
    const chosen = await choose(tx, task, submission_id);
    await settle(tx, [approval(doneBy(task, { ...chosen, id: chosen.bid_id }, chosen.id))]);
    return shownTo(tx, task_id);
  },
});

/** The submission that is meant: of an open task any that counts, otherwise its worker's newest. */
async function choose(
  { db }: Tx,
  task: LockedTask,
  submissionId: number | undefined,
): Promise<Submission> {
  const wanted = task.submission_id ?? submissionId;
  const live = wanted
    ? await findSubmissions(db, 'where s.id = $1 and s.task_id = $2 and s.superseded_at is null', [
        wanted,
        task.id,
      ])
    : await findLive(db, task.id, NAMED_MAX);
  const [first, ...others] = live;
  if (submissionId !== undefined && first?.id !== submissionId) {
    throw new Refusal('not_found', `Task ${task.id} has no submission ${submissionId} to approve.`);
  }
  if (!first) {
    throw new Refusal('invalid_transition', `Nothing was submitted to task ${task.id} yet.`);
  }
  if (others.length > 0) throw ambiguous(live);
  return first;
}

const ambiguous = (live: readonly Submission[]) =>
  new Refusal(
    'ambiguous_submission',
    'Several agents submitted work. Say which is approved by its submission_id.',
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
