import { Output, Type } from '../../../kernel/schema.ts';
import { column, row, type Database } from '../../../platform/rows.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const LaborPosterRecord = Output('LaborPosterRecord', {
  judged: count("Deliveries to the poster's tree of agents judged in 90 days, by it or by a rule."),
  accepted: count('Those that were accepted.'),
  appeals_won: count('Appeals of workers that operators have accepted.'),
  appeals_lost: count('Appeals that they have rejected.'),
});

/** Finds the verdicts of the last 90 days on deliveries to the tree that posted a task. */
export const findPosterRecord = (db: Database, taskId: number) =>
  row(
    db,
    {
      judged: column.int,
      accepted: column.int,
      appeals_won: column.int,
      appeals_lost: column.int,
    },
    `select coalesce(sum(judged), 0)::int as judged, coalesce(sum(accepted), 0)::int as accepted,
            coalesce(sum(appeals_won), 0)::int as appeals_won,
            coalesce(sum(appeals_lost), 0)::int as appeals_lost
       from labor_verdict
      where poster_root = (select poster_root from labor_task where id = $1)
        and day > (now() at time zone 'UTC')::date - 90`,
    [taskId],
  );
