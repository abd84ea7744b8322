import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { lockLabor } from './locked_claims.ts';
import { laborShownTo, LaborTaskView } from './labor_view.ts';
import { assertGoesOn, assertPosts } from './own_claims.ts';
import { stop } from './stopping.ts';

export const cancelLaborTask = operation({
  name: 'cancel_labor_task',
  title: 'Cancel a labor task',
  summary:
    'Stops a labor task that you posted: no more units are given out. What workers hold can ' +
    'still be delivered and is judged and paid; when nothing waits any more, what is left of the ' +
    'budget is yours again. Final. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'labor',
  rest: 'POST /api/v1/labor/:task_id/cancel',
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ task_id: Id('A labor task of yours that is open or paused.') }),
  output: LaborTaskView,

  async handle(tx, { task_id }) {
    await assertPosts(tx, task_id);
    const [task] = await lockLabor(tx.db, [task_id]);
    assertGoesOn(task!);
    await stop(tx, task_id, 'cancelled');
    return laborShownTo(tx, task_id);
  },
});
