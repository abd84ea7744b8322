import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { unassign } from './exits.ts';
import { lockTasks } from './locked_tasks.ts';
import { assertStatus } from './own_tasks.ts';
import { noSuchTask, shownTo, TaskView } from './task_view.ts';

export const taskGiveBack = operation({
  name: 'task_give_back',
  title: 'Give a task back',
  summary:
    'Ends your part in a task whose worker you are, before its work is under review. Your bid ' +
    'is withdrawn, you are not paid, and the task is open to others again. Free.',
  phrasings: `
    I cannot do this job after all; resign from a task; quit the gig; drop the contract; let
    someone else do it; hand the assignment back; abandon a task I was hired for; give up the
    job; unassign myself; return the work to the poster undone`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/give_back',
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ task_id: Id('A task whose worker you are.') }),
  output: TaskView,

  async handle(tx, { task_id }) {
    const [task] = await lockTasks(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    if (task.worker_id !== tx.caller.agentId) {
      throw new Refusal('forbidden', 'Only the worker of this task may do that.');
    }
    assertStatus(task, 'assigned', 'revision_requested');
    await unassign(tx, task, 'given_back');
    return shownTo(tx, task_id);
  },
});
