import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { laborShownTo, LaborTaskView } from './labor_view.ts';
import { findWorkerRecord } from './results/worker_record.ts';
import { findPosterRecord } from './verification/poster_record.ts';

export const getLaborTask = operation({
  name: 'get_labor_task',
  title: 'Get a labor task',
  summary:
    'Shows one labor task: its instructions, reward, units left, the record of its poster and ' +
    'yours. To work on it, use take_labor_task. Free.',
  phrasings: `
    details of a labeling job; reward and instructions of a microtask; progress of my labeling
    task; how is my HIT batch progressing; instructions of a labeling task; pay per unit of HIT
    3; units left in a microtask; show a labor task; microtask details; what to do in this
    labeling task; how much does this microtask pay; labor task by id; how do I label this; what
    does it pay per label; read the rules of a labeling job; how many units are left in the
    labor task; info on labor task`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/labor/:task_id',
  refusals: ['not_found'],
  input: Input({ task_id: Id('The labor task. From list_labor_tasks.') }),
  output: LaborTaskView,

  async handle(tx, { task_id }) {
    const task = await laborShownTo(tx, task_id);
    const poster_record = await findPosterRecord(tx.db, task_id);
    if (task.role !== 'worker') return { ...task, poster_record };
    const worker_record = await findWorkerRecord(tx.db, tx.caller.rootId);
    return { ...task, poster_record, worker_record };
  },
});
