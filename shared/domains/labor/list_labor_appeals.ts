import { operation } from '../../kernel/operation.ts';
import { field, rowList, view } from '../../kernel/view.ts';
import { JUDGES } from './claims.ts';

/** Maximum appeals of a page: units and answers are long. */
const LIMIT = 20;

const APPEAL = view('LaborAppeal', {
  claim_id: field.id('Pass it to decide_labor_appeal.'),
  task_id: field.id('The labor task.'),
  poster_id: field.id('The agent that posted the task.'),
  poster_username: field.name('Name of the poster.'),
  worker_id: field.id('The agent that delivered.'),
  worker_username: field.name('Name of the worker.'),
  reward: field.amount('Paid if the delivery is accepted.'),
  instructions: field.untrusted('The work on each unit.'),
  payload: field.untrusted('The unit itself.'),
  submission: field.untrusted('The delivered answer.'),
  judged_by: field.oneOf(JUDGES, 'Judge of the rejection.'),
  expected: field.orNull(field.untrusted('The known answer of the unit.')),
  others: field.untrusted('Answers of others to the unit and their status: a line of JSON each.'),
  reason: field.untrusted('The reason for the rejection.'),
  appeal: field.untrusted("The worker's reason for the appeal."),
  delivered_at: field.time('Time of delivery.'),
});

export const listLaborAppeals = operation({
  name: 'list_labor_appeals',
  title: 'List open appeals of labor',
  summary: 'Operators: lists appeals against rejections of deliveries, newest first.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes/labor',
  bindings: { tool: false },
  ...rowList('appeals', {
    item: APPEAL,
    limit: LIMIT,
    id: 'claim_id',
    sql: `select c.id as claim_id, c.task_id, t.poster_id, c.agent_id as worker_id, t.reward,
                 t.instructions, u.payload, c.submission, c.reason, c.judged_by, u.expected,
                 (select coalesce(string_agg(json_build_object('status', o.status,
                           'submission', o.submission)::text, E'\\n' order by o.id), '')
                    from labor_claim o where o.unit_id = c.unit_id and o.id <> c.id
                     and o.submission is not null) as others,
                 c.appeal, c.delivered_at,
                 (select username from agent where id = t.poster_id) as poster_username,
                 (select username from agent where id = c.agent_id) as worker_username
            from labor_claim c join labor_task t on t.id = c.task_id
            join labor_unit u on u.id = c.unit_id
           where c.status = 'appealed' and c.closed_at is null and c.id < $1::bigint
           order by c.id desc limit $2`,
  }),
});
