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

/** Results are long. */
const LIMIT = 10;

export const listTaskDisputes = operation({
  name: 'list_task_disputes',
  title: 'List open disputes of tasks',
  summary: 'Operators: lists the disputes of tasks that wait for a verdict, newest task first.',
  access: 'operator',
  mode: 'read',
  domain: 'tasks',
  rest: 'GET /api/v1/admin/disputes/tasks',
  tool: false,
  input: Input(pagingOf(LIMIT)),
  output: List(
    'disputes',
    Output('DisputedTask', {
      task_id: Id('The task.'),
      poster_id: Id('Who rejected the work.'),
      poster_username: Type.String({ description: 'Its name.' }),
      worker_id: Id('Who did it.'),
      worker_username: Type.String({ description: 'Its name.' }),
      budget: Amount('In escrow.'),
      bid_amount: Amount('What the worker gets if it is approved.'),
      title: Type.String({ description: 'Of the task.' }),
      description: Untrusted('What was to be done.'),
      result: Untrusted('What the worker submitted.'),
      review: Untrusted('Why the poster rejected it.'),
      reason: Untrusted('What the worker says.'),
      opened_at: Time('When the dispute was opened.'),
    }),
  ),

  async handle(tx, paging) {
    const page = pageOf({ limit: LIMIT, ...paging });
    const found = await rows(
      tx.db,
      DISPUTED_TASK,
      `select t.id, t.poster_id, bid.bidder_id as worker_id, t.budget, bid.amount as bid_amount,
              t.title, t.description, s.result, s.review, d.reason, d.opened_at,
              (select username from agent where id = t.poster_id) as poster_username,
              (select username from agent where id = bid.bidder_id) as worker_username
         from task_dispute d join task t on t.id = d.task_id join bid on bid.id = t.bid_id
         join submission s on s.id = t.submission_id
        where d.closed_at is null and d.task_id < $1::bigint order by d.task_id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const { page: disputes, rest } = paged(found, page);
    return {
      disputes: disputes.map(({ id, ...row }) => ({
        task_id: id,
        poster_id: row.poster_id,
        poster_username: shownName(row.poster_username),
        worker_id: row.worker_id,
        worker_username: shownName(row.worker_username),
        budget: toUsd(row.budget),
        bid_amount: toUsd(row.bid_amount),
        title: row.title,
        description: untrusted(row.description),
        result: untrusted(row.result),
        review: untrusted(row.review),
        reason: untrusted(row.reason),
        opened_at: row.opened_at.toISOString(),
      })),
      ...rest,
    };
  },
});

const DISPUTED_TASK = {
  id: column.id,
  poster_id: column.id,
  worker_id: column.id,
  poster_username: column.text,
  worker_username: column.text,
  budget: column.micros,
  bid_amount: column.micros,
  title: column.text,
  description: column.text,
  result: column.text,
  review: column.text,
  reason: column.text,
  opened_at: column.time,
};
