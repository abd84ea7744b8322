import { Output, Type } from '../../../kernel/schema.ts';
import { column, row, type Database } from '../../../platform/rows.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Maximum units taken of a task that are looked at. */
const TAKEN_MAX = 1_000;

export const LaborPosterRecord = Output('LaborPosterRecord', {
  judged: count("Deliveries to the poster's tree judged in 90 days."),
  accepted: count('Those accepted.'),
  unjudged: count('Those it did not judge, and time has accepted.'),
  given_up: count(`Of the newest ${TAKEN_MAX} units taken of this task, those given up.`),
  appeals_won: count('Appeals that operators have accepted.'),
  appeals_lost: count('Those they have rejected.'),
});

/** Finds the verdicts of the last 90 days on deliveries to the tree that posted a task. */
export const findPosterRecord = (db: Database, taskId: number) =>
  row(
    db,
    {
      judged: column.int,
      accepted: column.int,
      unjudged: column.int,
      given_up: column.int,
      appeals_won: column.int,
      appeals_lost: column.int,
    },
    `select coalesce(sum(judged), 0)::int as judged, coalesce(sum(accepted), 0)::int as accepted,
            coalesce(sum(unjudged), 0)::int as unjudged,
            (select count(*) filter (where status in ('released', 'expired'))::int
               from (select status from labor_claim where task_id = $1
                      order by id desc limit ${TAKEN_MAX}) taken) as given_up,
            coalesce(sum(appeals_won), 0)::int as appeals_won,
            coalesce(sum(appeals_lost), 0)::int as appeals_lost
       from labor_verdict
      where poster_root = (select poster_root from labor_task where id = $1)
        and day > (now() at time zone 'UTC')::date - 90`,
    [taskId],
  );
