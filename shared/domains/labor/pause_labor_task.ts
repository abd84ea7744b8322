import { operation } from '../../kernel/operation.ts';
import { Id, Input, Type } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { lockTaking } from './labor_task.ts';
import { notifyOfStatus } from './labor_events.ts';
import { laborShownTo, LaborTaskView } from './labor_view.ts';
import { lockLabor } from './locked_claims.ts';
import { assertGoesOn, assertPosts } from './own_claims.ts';

export const pauseLaborTask = operation({
  name: 'pause_labor_task',
  title: 'Pause a labor task',
  summary:
    'Gives out no units of a labor task that you posted until you call it with paused false. ' +
    'Units that workers hold are delivered, judged and paid. It still ends at due_at. Free.',
  phrasings: `
    halt my labeling job for a while; resume a paused microtask; stop handing out units
    temporarily; stop giving out HITs for now; continue my paused batch; suspend a HIT; pause my
    microtask; hold the labeling job; stop new work for now; unpause; continue my labeling job;
    temporarily stop workers; hold off on the labeling; take a break with my microwork; start my
    labeling again; no new workers for now; restart handing out units`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/pause',
  effects: { idempotent: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A labor task of yours that is open or paused.'),
    paused: Type.Optional(Type.Boolean({ description: 'false: resumes it. true if absent.' })),
  }),
  defaults: { paused: true },
  output: LaborTaskView,

  async handle(tx, { task_id, paused = true }) {
    await assertPosts(tx, task_id);
    const [task] = await lockLabor(tx.db, [task_id]);
    assertGoesOn(task!);
    const status = paused ? 'paused' : 'open';
    if (task!.status !== status) {
      await lockTaking(tx.db, task_id, 'alone');
      await execute(tx.db, 'update labor_task set status = $2 where id = $1', [task_id, status]);
      await notifyOfStatus(tx.db, task!, status, {});
    }
    return laborShownTo(tx, task_id);
  },
});
