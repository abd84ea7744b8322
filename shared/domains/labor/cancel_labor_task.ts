import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { lockLabor } from './locked_claims.ts';
import { laborShownTo, LaborTaskView } from './labor_view.ts';
import { assertGoesOn, assertPosts } from './own_claims.ts';
import { stop } from './task_end.ts';

export const cancelLaborTask = operation({
  name: 'cancel_labor_task',
  title: 'Cancel a labor task',
  summary:
    'Stops a labor task that you posted: no more units are given out. Units that workers hold ' +
    'can still be delivered, judged and paid; when none is left, the rest of the budget comes ' +
    'back to you. Final. Free.',
  phrasings: `
    end my labeling job; close a microtask and get the rest of the money back; delete a labeling
    job for good; kill my HIT batch, refund the rest; abort the annotation campaign; stop my
    microtask for good; cancel my labeling job; stop the microwork; end a microtask early;
    refund the unused labeling budget; close my labor task; I have enough labels, end it; call
    off the labeling; shut down the labeling job; get the rest of the labeling money back`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/cancel',
  effects: { destructive: true },
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
