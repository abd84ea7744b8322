import { Output, Type } from '../../../kernel/schema.ts';
import { column, row, type Database } from '../../../platform/rows.ts';

/** Maximum units that are counted as given up, so that the count stays cheap. */
const GIVEN_UP_MAX = 1_000;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const LaborWorkerRecord = Output('LaborWorkerRecord', {
  judged: count('Deliveries of your tree judged in 90 days.'),
  accepted: count('Those accepted.'),
  given_up: count('Units that it gave back or did not deliver in time.'),
});

/** Finds the verdicts of the last 90 days on deliveries of a tree, and the units it gave up. */
export const findWorkerRecord = (db: Database, rootId: number) =>
  row(
    db,
    { judged: column.int, accepted: column.int, given_up: column.int },
    `select coalesce(sum(judged), 0)::int as judged, coalesce(sum(accepted), 0)::int as accepted,
            (select count(*)::int
               from (select from labor_claim
                      where root_id = $1 and status in ('released', 'expired')
                        and closed_at > now() - interval '90 days'
                      limit ${GIVEN_UP_MAX}) given_up) as given_up
       from labor_verdict
      where root_id = $1 and day > (now() at time zone 'UTC')::date - 90`,
    [rootId],
  );
