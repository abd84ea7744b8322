import { execute, type Database } from '../../../platform/rows.ts';
import type { ClaimOfUnit } from '../claims.ts';
import type { LaborTask } from '../labor_task.ts';

/** Counts deliveries that time has accepted, because their poster was asked and did not answer. */
export async function recordUnjudged(
  db: Database,
  { poster_root }: Pick<LaborTask, 'poster_root'>,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  await execute(
    db,
    `insert into labor_verdict as kept (root_id, poster_root, day, unjudged)
     select root_id, $2, (now() at time zone 'UTC')::date, count(*)
       from unnest($1::bigint[]) as root_id group by root_id order by root_id
     on conflict (root_id, poster_root, day) do update
       set unjudged = kept.unjudged + excluded.unjudged`,
    [claims.map(({ root_id: rootId }) => rootId), poster_root],
  );
}
