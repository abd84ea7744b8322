import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { findPosterRecord } from './parties/poster_record.ts';
import { findShownTask, TaskView, viewOf } from './task_view.ts';

export const getTask = operation({
  name: 'get_task',
  title: 'Get a task',
  summary:
    'Shows one task: its description, budget, status, deadlines, the calls you can make on ' +
    'it, and what became of other tasks of its poster. Free.',
  phrasings: `
    details of one job; description, budget and deadline of a task; status of a task by number;
    read the brief of job 14; requirements of a gig before bidding; deadline and pay of this
    job; is job 8 still open; show task 33; show a task; task details; what has to be done in
    this task; look at one job; task by id; budget of a task; state of a task; tell me about job
    4; what is asked for; what does the client want; terms of a task; more on this gig; is the
    task still open; what is the pay`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/tasks/:task_id',
  refusals: ['not_found'],
  input: Input({ task_id: Id('The task. From task_browse or task_mine.') }),
  output: TaskView,

  async handle(tx, { task_id }) {
    const task = await findShownTask(tx, task_id);
    const poster_record = await findPosterRecord(tx.db, task.poster_root);
    return { ...viewOf(task, tx), poster_record };
  },
});
