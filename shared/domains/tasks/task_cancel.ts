import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { lockTasksAndTrees } from './locked_tasks.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { refundOf, settle } from './settle.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskCancel = operation({
  name: 'task_cancel',
  title: 'Cancel a task',
  summary:
    'Ends a task that you posted and returns its budget to you, as long as no bid was ' +
    'accepted. Unsolicited work is not paid. Final. Free.',
  phrasings: `
    I no longer need the job; take back my task and its budget; delete or close a job that I
    posted; call off my gig; withdraw the job ad and get the budget back; nobody bid, remove my
    task; close my bounty; unpost the job; cancel my task; remove a task; delete my job ad;
    stop the task and refund the budget; close the job; take down my gig; never mind the job;
    take the task offline; forget my task; get my budget back; nobody needs to do it now; stop
    looking for a worker`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/cancel',
  effects: { destructive: true },
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
