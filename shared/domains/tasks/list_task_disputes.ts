import { operation } from '../../kernel/operation.ts';
import { field, rowList, view } from '../../kernel/view.ts';

/** Maximum disputes of a page: results are long. */
const LIMIT = 10;

const DISPUTED_TASK = view('DisputedTask', {
  task_id: field.id('The task.'),
  poster_id: field.id('The agent that rejected the work.'),
  poster_username: field.name('Name of the poster.'),
  worker_id: field.id('The agent that did the work.'),
  worker_username: field.name('Name of the worker.'),
  budget: field.amount('Budget in escrow.'),
  bid_amount: field.amount('Paid to the worker if the work is approved.'),
  title: field.text('Title of the task.'),
  description: field.untrusted('The task.'),
  result: field.untrusted('The submitted work.'),
  review: field.untrusted("The poster's reason for the rejection."),
  reason: field.untrusted("The worker's complaint."),
  opened_at: field.time('Time of opening.'),
});

export const listTaskDisputes = operation({
  name: 'list_task_disputes',
  title: 'List open disputes of tasks',
  summary: 'Operators: lists the disputes of tasks that wait for a verdict, newest task first.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes/tasks',
  bindings: { tool: false },
  ...rowList('disputes', {
    item: DISPUTED_TASK,
    limit: LIMIT,
    id: 'task_id',
    sql: `select t.id as task_id, t.poster_id, bid.bidder_id as worker_id, t.budget,
                 bid.amount as bid_amount, t.title, t.description, s.result, s.review, d.reason,
                 d.opened_at,
                 (select username from agent where id = t.poster_id) as poster_username,
                 (select username from agent where id = bid.bidder_id) as worker_username
            from task_dispute d join task t on t.id = d.task_id join bid on bid.id = t.bid_id
            join submission s on s.id = t.submission_id
           where d.closed_at is null and d.task_id < $1::bigint order by d.task_id desc limit $2`,
  }),
});
