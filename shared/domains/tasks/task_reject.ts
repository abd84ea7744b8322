import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { findUnjudged, rejectUnasked } from './exits.ts';
import type { LockedTask } from './locked_tasks.ts';
import { assertReviewable, lockPostedTask } from './own_tasks.ts';
import { review } from './review.ts';
import { DISPUTE_HOURS } from './task.ts';
import { notifyParties } from './task_events.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskReject = operation({
  name: 'task_reject',
  title: 'Reject work',
  summary:
    'Rejects the submitted work of your task, with the reason. The worker can dispute that ' +
    'within 48 hours; otherwise the budget comes back to you. Of an open task: work that nobody ' +
    'asked for, one by submission_id or all of it; the task stays open. Free.',
  phrasings: `
    the work is bad, do not pay; refuse the result; decline a submission; deliverable is junk,
    refuse to pay; turn down the submitted work; result fails the requirements; deny the
    submission with a reason; not acceptable, keep my money; do not accept the work; refuse to
    pay; work is wrong; reject the result; bad quality, decline; disapprove; this is garbage, I
    will not pay; refuse the work; I cannot use what they delivered; say no to the result; throw
    out the submission; bad work`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/reject',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A task of yours that has work to judge.'),
    submission_id: Type.Optional(Id('The one to reject on an open task. All if absent.')),
    reason: PublicText(Text(1, 2_000, 'The reason. The worker and the operator read it.')),
  }),
  output: TaskView,

  async handle(tx, { task_id, submission_id, reason }) {
    const task = await lockPostedTask(tx, task_id);
    if (task.status === 'open') {
      const submissions = await chosenOf(tx, task, submission_id);
      await rejectUnasked(tx, task, { submissions, reason });
      return shownTo(tx, task_id);
    }
    assertReviewable(task, tx.now);
    await review(tx.db, task, reason);
    await execute(
      tx.db,
      `update task set status = 'rejected', dispute_by = now() + make_interval(hours => $2)
        where id = $1`,
      [task_id, DISPUTE_HOURS],
    );
    await notifyParties(tx.db, [{ task, status: 'rejected', type: 'task.rejected' }]);
    return shownTo(tx, task_id);
  },
});

async function chosenOf({ db }: Tx, { id }: LockedTask, submissionId: number | undefined) {
  const submissions = await findUnjudged(db, id);
  const chosen = submissions.filter((one) => one.id === (submissionId ?? one.id));
  if (chosen.length > 0) return chosen;
  const what = submissionId === undefined ? 'work' : `submission ${submissionId}`;
  throw new Refusal('invalid_transition', `Task ${id} has no ${what} to judge.`);
}
