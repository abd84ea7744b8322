import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { lockTasksAndTrees } from './locked_tasks.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { refundOf, settle } from './settle.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskCancel = operation({
  name: 'task_cancel',
  title: 'Cancel a task',
  summary:
    'Ends a task that you posted and gives its budget back to you, as long as no bid was ' +
    'accepted. Work that was submitted unasked is not paid. Final. Free.',
  access: 'buy',
  mode: 'write',
  domain: 'tasks',
  rest: 'POST /api/v1/tasks/:task_id/cancel',
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ task_id: Id('An open task of yours.') }),
  output: TaskView,

  async handle(tx, { task_id }) {
    const task = await lockPostedTask(tx, task_id, lockTasksAndTrees);
    assertStatus(task, 'open');
    await settle(tx, [refundOf(task, 'cancelled')]);
    return shownTo(tx, task_id);
  },
});
