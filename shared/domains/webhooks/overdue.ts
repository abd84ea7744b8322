import { column, row, type Database } from '../../platform/rows.ts';

/**
 * Seconds that the longest-waiting webhook has had events due and not held back; 0: there is none.
 * It grows when no process sends to webhooks.
 */
export async function secondsWebhooksWait(database: Database): Promise<number> {
  const { seconds } = await row(
    database,
    { seconds: column.float },
    `select coalesce(extract(epoch from max(
              now() - greatest(not_before, claimed_until, waiting.since))), 0)::float8 as seconds
       from webhook w cross join lateral (
         select min(at) as since from (
           (select next_at as at from webhook_delivery
             where webhook_id = w.id and status = 'waiting' order by next_at limit 1)
           union all
           (select occurred_at from event where root_id = w.root_id and id > w.position
             order by id limit 1)) first) waiting
      where status = 'active' and not_before <= now() and claimed_until <= now()
        and waiting.since <= now()`,
  );
  return seconds;
}
