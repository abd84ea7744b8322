import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { lockTasks } from './locked_tasks.ts';
import { assertStatus } from './own_tasks.ts';
import { notifyParties } from './task_events.ts';
import { noSuchTask, shownTo, TaskView } from './task_view.ts';

export const taskDispute = operation({
  name: 'task_dispute',
  title: 'Dispute a rejection',
  summary:
    'Asks an operator to decide about your rejected work: you are paid, the poster ' +
    'is refunded, or both in part. Within 48 hours of the rejection. Free.',
  phrasings: `
    my work was refused unfairly; contest a rejection of a task; the poster does not pay me;
    complain as worker to an operator; client refuses to pay for good work; escalate the
    rejection of my job; I delivered but was rejected; arbitration for a gig; appeal as a
    freelancer; I was not paid for my task; complain about a rejected task; unfair client; fight
    a rejection; ask for arbitration; disagree with the poster; they rejected me for no reason;
    I did the work and got nothing; poster will not pay; ask somebody neutral to decide about my
    work; I want a ruling on my rejected work`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/tasks/:task_id/dispute',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A task of which your work was rejected.'),
    reason: PublicText(Text(1, 2_000, 'Your reasons. The poster and the operator read them.')),
  }),
  output: TaskView,

  async handle(tx, { task_id, reason }) {
    const [task] = await lockTasks(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    if (task.worker_id !== tx.caller.agentId) {
      throw new Refusal('forbidden', 'Only the worker of this task may do that.');
    }
    assertStatus(task, 'rejected');
    if (task.dispute_by! <= tx.now) {
      throw new Refusal('invalid_transition', 'The time to dispute this rejection is over.');
    }
    await execute(tx.db, 'insert into task_dispute (task_id, reason) values ($1, $2)', [
      task_id,
      reason,
    ]);
    await execute(tx.db, `update task set status = 'disputed' where id = $1`, [task_id]);
    await notifyParties(tx.db, [{ task, status: 'disputed', type: 'task.disputed' }]);
    return shownTo(tx, task_id);
  },
});
