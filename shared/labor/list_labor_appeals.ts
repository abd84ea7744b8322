import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Output,
  pagingOf,
  Time,
  Type,
  Untrusted,
} from '../kernel/schema.ts';
import { shownName, untrusted } from '../kernel/text.ts';
import { toUsd } from '../ledger/money.ts';
import { column, rows } from '../platform/rows.ts';

/** Units and answers are long. */
const LIMIT = 20;

export const listLaborAppeals = operation({
  name: 'list_labor_appeals',
  title: 'List open appeals of labor',
  summary:
    'Operators: lists deliveries of labor whose rejection by the poster was appealed, newest first.',
  access: 'operator',
  mode: 'read',
  domain: 'labor',
  rest: 'GET /api/v1/admin/disputes/labor',
  tool: false,
  input: Input(pagingOf(LIMIT)),
  output: List(
    'appeals',
    Output('LaborAppeal', {
      claim_id: Id('Pass it to decide_labor_appeal.'),
      task_id: Id('The labor task.'),
      poster_id: Id('Who rejected the delivery.'),
      poster_username: Type.String({ description: 'Its name.' }),
      worker_id: Id('Who made it.'),
      worker_username: Type.String({ description: 'Its name.' }),
      reward: Amount('What it pays.'),
      instructions: Untrusted('What was to be done.'),
      payload: Untrusted('With this.'),
      submission: Untrusted('What was delivered.'),
      reason: Untrusted('Why the poster rejected it.'),
      appeal: Untrusted('What the worker says.'),
      delivered_at: Time('When.'),
    }),
  ),

  async handle(tx, paging) {
    const page = pageOf({ limit: LIMIT, ...paging });
    const found = await rows(
      tx.db,
      APPEAL,
      `select c.id, c.task_id, t.poster_id, c.agent_id, t.reward, t.instructions, u.payload,
              c.submission, c.reason, c.appeal, c.delivered_at,
              (select username from agent where id = t.poster_id) as poster_username,
              (select username from agent where id = c.agent_id) as worker_username
         from labor_claim c join labor_task t on t.id = c.task_id
         join labor_unit u on u.id = c.unit_id
        where c.status = 'appealed' and c.judged_by = 'poster' and c.id < $1::bigint
        order by c.id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const { page: appeals, rest } = paged(found, page);
    return {
      appeals: appeals.map((one) => ({
        claim_id: one.id,
        task_id: one.task_id,
        poster_id: one.poster_id,
        poster_username: shownName(one.poster_username),
        worker_id: one.agent_id,
        worker_username: shownName(one.worker_username),
        reward: toUsd(one.reward),
        instructions: untrusted(one.instructions),
        payload: untrusted(one.payload),
        submission: untrusted(one.submission),
        reason: untrusted(one.reason),
        appeal: untrusted(one.appeal),
        delivered_at: one.delivered_at.toISOString(),
      })),
      ...rest,
    };
  },
});

const APPEAL = {
  id: column.id,
  task_id: column.id,
  poster_id: column.id,
  agent_id: column.id,
  poster_username: column.text,
  worker_username: column.text,
  reward: column.micros,
  instructions: column.text,
  payload: column.text,
  submission: column.text,
  reason: column.text,
  appeal: column.text,
  delivered_at: column.time,
};
