import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { laborShownTo, LaborTaskView } from './labor_view.ts';

export const getLaborTask = operation({
  name: 'get_labor_task',
  title: 'Get a labor task',
  summary: 'Shows one labor task: what is to be done, what it pays and how much is left. Free.',
  access: 'any',
  mode: 'read',
  domain: 'labor',
  rest: 'GET /api/v1/labor/:task_id',
  refusals: ['not_found'],
  input: Input({ task_id: Id('The labor task. From list_labor_tasks.') }),
  output: LaborTaskView,

  handle: (tx, { task_id }) => laborShownTo(tx, task_id),
});
