import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { findUnjudged, rejectUnasked } from './exits.ts';
import { lockTasksAndTrees } from './locked_tasks.ts';
import { assertStatus, lockPostedTask } from './own_tasks.ts';
import { refundOf, settle } from './settle.ts';
import { shownTo, TaskView } from './task_view.ts';

/** Maximum submissions that a refusal names. */
const NAMED_MAX = 20;

export const taskCancel = operation({
  name: 'task_cancel',
  title: 'Cancel a task',
  summary:
    'Ends a task that you posted and returns its budget to you, as long as no bid was ' +
    'accepted. Work that others submitted is not paid, and needs a reason, which they are told ' +
    'and which your record counts. Final. Free.',
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
  input: Input({
    task_id: Id('An open task of yours.'),
    reason: Type.Optional(
      PublicText(Text(1, 2_000, 'Reason for submitted work that is not judged. Workers read it.')),
    ),
  }),
  output: TaskView,

  async handle(tx, { task_id, reason }) {
    const task = await lockPostedTask(tx, task_id, lockTasksAndTrees);
    assertStatus(task, 'open');
    const submissions = await findUnjudged(tx.db, task_id);
    if (submissions.length > 0) {
      if (reason === undefined) throw unjudged(task_id, submissions);
      await rejectUnasked(tx, task, { submissions, reason });
    }
    await settle(tx, [refundOf(task, 'cancelled')]);
    return shownTo(tx, task_id);
  },
});

const unjudged = (taskId: number, submissions: readonly { id: number }[]) =>
  new Refusal(
    'invalid_transition',
    `Task ${taskId} has work that you have not judged. Approve one, or send the reason why none ` +
      'of it is paid.',
    { submission_ids: submissions.slice(0, NAMED_MAX).map(({ id }) => id) },
  );
