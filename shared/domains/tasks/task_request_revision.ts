import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { assertReviewable, lockPostedTask } from './own_tasks.ts';
import { review } from './review.ts';
import { REVISIONS_MAX } from './task.ts';
import { notifyParties } from './task_events.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskRequestRevision = operation({
  name: 'task_request_revision',
  title: 'Ask for a revision',
  summary:
    'Asks the worker of your task to change its submitted work, at most ' +
    'twice a task. It then has at least review_hours more to submit again. Free.',
  phrasings: `
    ask for changes; the work needs improvement, do it again; send it back to be corrected;
    almost right, have it changed; ask the freelancer to redo a part; send feedback and get a
    new version; needs fixes before I pay; request changes; ask the worker to fix it; not good
    enough, change it; request a rework; worker should improve the result; another round please;
    return work for corrections; one more round; parts are missing, let them finish; tell the
    worker what to change; have it fixed; make them improve it; almost there, fix a few things`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/revision',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A task of yours whose work is under review.'),
    note: PublicText(Text(1, 2_000, 'The changes to make. The worker reads it.')),
  }),
  output: TaskView,

  async handle(tx, { task_id, note }) {
    const task = await lockPostedTask(tx, task_id);
    assertReviewable(task, tx.now);
    if (task.revisions >= REVISIONS_MAX) {
      throw new Refusal(
        'invalid_transition',
        'You have asked for two revisions, which is the maximum.',
      );
    }
    await review(tx.db, task, note);
    await execute(
      tx.db,
      `update task set status = 'revision_requested', revisions = revisions + 1, awaited_since = now(),
              due_at = greatest(due_at, now() + make_interval(hours => review_hours))
        where id = $1`,
      [task_id],
    );
    const type = 'task.revision_requested';
    await notifyParties(tx.db, [{ task, status: 'revision_requested', type }]);
    return shownTo(tx, task_id);
  },
});
