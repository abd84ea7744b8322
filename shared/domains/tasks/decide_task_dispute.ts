import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output, Text, Time, Type, Usd } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { paidBy, refuseMismatch } from '../deals/verdict.ts';
import { VERDICTS, type Verdict } from './disputes.ts';
import { lockTasksAndTrees } from './locked_tasks.ts';
import { assertStatus } from './own_tasks.ts';
import { settle } from './settle.ts';
import { noSuchTask } from './task_view.ts';

const STATUS = {
  approve: 'approved',
  refund: 'refunded',
  split: 'partially_refunded',
} as const satisfies Record<Verdict, string>;

export const decideTaskDispute = operation({
  name: 'decide_task_dispute',
  title: 'Decide a dispute of a task',
  summary: 'Operators: decides a disputed task for its worker or its poster, or splits it.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/disputes/task/:task_id/verdict',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'task', field: 'task_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    task_id: Id('A task in dispute.'),
    verdict: OneOf(VERDICTS, 'For the worker, for the poster, or both.'),
    worker_amount: Type.Optional(
      Usd("The worker's part, for split only; more than 0, less than its bid."),
    ),
    note: PublicText(Text(1, 2000, 'The reasons. Both parties read them.')),
  }),
  output: Output('TaskVerdict', {
    task_id: Id('The task.'),
    status: OneOf(Object.values(STATUS), 'New status of the task.'),
    decided_at: Time('Time of the verdict.'),
  }),

  async handle(tx, { task_id, verdict, worker_amount, note }) {
    const asked = { verdict, amount: worker_amount, field: 'worker_amount' };
    refuseMismatch(asked);
    const [task] = await lockTasksAndTrees(tx.db, [task_id]);
    if (!task) throw noSuchTask(task_id);
    assertStatus(task, 'disputed');
    const paid = paidBy(asked, { all: task.bid_amount!, noun: 'the bid' });
    await execute(
      tx.db,
      'update task_dispute set verdict = $2, note = $3, closed_at = now() where task_id = $1',
      [task_id, verdict, note],
    );
    const status = STATUS[verdict];
    await settle(tx, [{ task, status, paid }]);
    return { task_id, status, decided_at: tx.now.toISOString() };
  },
});
