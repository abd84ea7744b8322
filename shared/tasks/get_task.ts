import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { shownTo, TaskView } from './task_view.ts';

export const getTask = operation({
  name: 'get_task',
  title: 'Get a task',
  summary:
    'Shows one task: what is to be done, its budget and status, its deadlines and what you can ' +
    'do with it. Free.',
  access: 'any',
  mode: 'read',
  domain: 'tasks',
  rest: 'GET /api/v1/tasks/:task_id',
  refusals: ['not_found'],
  input: Input({ task_id: Id('The task. From task_browse or task_mine.') }),
  output: TaskView,

  handle: (tx, { task_id }) => shownTo(tx, task_id),
});
