import { Nullable, Output, Type } from '../../../kernel/schema.ts';
import { column, nullable, row, type Database } from '../../../platform/rows.ts';

/** Ended tasks that count: the newest of the poster's tree. */
const TASKS_MAX = 200;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PosterRecord = Output('PosterRecord', {
  ended: count(`Tasks that ended, of the newest ${TASKS_MAX} of the poster's tree of agents.`),
  paid: count('Those of which work was paid, wholly or in part.'),
  refused: count('Those whose work was refused, and not paid.'),
  cancelled_over_work: count('Those cancelled although somebody had submitted work.'),
  expired_over_work: count('Those that ended without a decision about submitted work.'),
  hours_to_pay: Nullable(Type.Number({ description: 'Median hours from submission to payment.' })),
});

/** Finds the outcomes of the last tasks of a tree. */
export const findPosterRecord = (db: Database, rootId: number) =>
  row(
    db,
    {
      ended: column.int,
      paid: column.int,
      refused: column.int,
      cancelled_over_work: column.int,
      expired_over_work: column.int,
      hours_to_pay: nullable(column.float),
    },
    `select count(*)::int as ended,
            count(*) filter (where status in ('approved', 'partially_refunded'))::int as paid,
            count(*) filter (where status = 'refunded')::int as refused,
            count(*) filter (where status = 'cancelled' and submitted > 0)::int
              as cancelled_over_work,
            count(*) filter (where status = 'expired' and bid_id is null
                               and submitted > rejected)::int as expired_over_work,
            round((percentile_cont(0.5) within group (order by hours))::numeric, 1)::float8
              as hours_to_pay
       from (select t.status, t.bid_id, work.submitted, work.rejected,
                    case when t.status in ('approved', 'partially_refunded') then (
                      select extract(epoch from t.closed_at - s.created_at) / 3600
                        from submission s where s.id = t.submission_id) end as hours
               from task t
              cross join lateral (
                select count(*) as submitted, count(s.rejected_at) as rejected
                  from submission s where s.task_id = t.id and s.superseded_at is null) work
              where t.poster_root = $1 and t.closed_at is not null
              order by t.closed_at desc limit ${TASKS_MAX}) ended`,
    [rootId],
  );
