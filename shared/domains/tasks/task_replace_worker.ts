import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { unassign, replaceableAt } from './exits.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { shownTo, TaskView } from './task_view.ts';

export const taskReplaceWorker = operation({
  name: 'task_replace_worker',
  title: 'Replace a silent worker',
  summary:
    'Opens your task again when its worker has submitted nothing until replaceable_at: half as ' +
    'much again as the eta_minutes of its bid, and at least an hour more; 36 hours without an ' +
    'estimate. Then accept another bid, or cancel. Free.',
  phrasings: `
    the freelancer does not deliver; my contractor disappeared; worker is silent, take another;
    fire the worker who missed the deadline; reassign the job; nobody hears from the assignee;
    hire somebody else for my task; no work came in time; change the worker; unassign the
    bidder`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/replace_worker',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ task_id: Id('A task of yours whose worker is late.') }),
  output: TaskView,

  async handle(tx, { task_id }) {
    const task = await lockPostedTask(tx, task_id);
    assertStatus(task, 'assigned', 'revision_requested');
    const at = replaceableAt(task);
    if (!at || at > tx.now) {
      throw new Refusal(
        'invalid_transition',
        `The worker of task ${task_id} still has time. It can be replaced from replaceable_at on.`,
        { replaceable_at: at?.toISOString() ?? null },
      );
    }
    await unassign(tx, task, 'replaced');
    return shownTo(tx, task_id);
  },
});
