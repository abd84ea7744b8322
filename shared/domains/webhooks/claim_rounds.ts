import type { DataSource } from 'typeorm';

import { EVENT_COLUMNS } from '../events/find_events.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { transact } from '../../platform/database.ts';
import { column, execute, namesOf, rows, type Database, type Row } from '../../platform/rows.ts';
import { CLAIM, isOfTypes, SENT_TO_COLUMNS, type Round } from './round.ts';
import { HOLDER_COLUMNS, holderOf } from './webhooks.ts';

const EVENTS_MAX = 10;
/** Events sent as a probe while the webhook fails. */
const PROBES_MAX = 1;
/** Maximum new events that are searched for those of the webhook's types. */
const SCANNED_MAX = 1_000;

/** A webhook that may have events due, and the holder whose share its round would use. */
interface DueWebhook {
  readonly id: number;
  readonly holder: string;
}

/** Finds webhooks in the order in which they should be sent to: holders take turns. */
export async function findDue(db: Database, limit: number): Promise<DueWebhook[]> {
  const found = await rows(
    db,
    { id: column.id, ...HOLDER_COLUMNS },
    `select id, ${namesOf(HOLDER_COLUMNS)} from (
       select *, row_number() over (
                partition by case when failing_since is null then root_id end
                    order by claimed_until, id) as turn
         from webhook w where ${isDue()}) due
      order by turn, claimed_until, id limit $1`,
    [limit],
  );
  return found.map((webhook) => ({ id: webhook.id, holder: holderOf(webhook) }));
}

/** Claims a round of each of these webhooks that has events due and no running round. */
export async function claimRounds(database: DataSource, ids: readonly number[]): Promise<Round[]> {
  const rounds = await transact(database, async (db) => {
    // A claim that PostgreSQL loses in a crash is made again: no need to wait for the disk.
    await execute(db, `select set_config('synchronous_commit', 'off', true)`);
    const claimed = await rows(db, CLAIMED, CLAIM_THOSE, [ids]);
    const events = claimed.length > 0 ? await findEvents(db, claimed) : [];
    return claimed.map((one) => roundOf(one, events));
  });
  const claimedIds = rounds.map(({ webhook }) => String(webhook.id));
  if (rounds.length > 0) crashPoint('H0', claimedIds);
  return rounds;
}

function roundOf(claimed: ClaimedWebhook, events: readonly FoundEvent[]): Round {
  const { scanned_until: scannedUntil, is_full: isFull, failed_rounds: _, ...webhook } = claimed;
  const limit = limitOf(claimed);
  const own = events.filter(({ webhook_id: id }) => id === webhook.id);
  const retries = own.filter(({ is_new: isNew }) => !isNew);
  const found = own.filter(({ is_new: isNew }) => isNew);
  const fresh = found.slice(0, limit);
  const isCut = found.length > limit;
  return {
    webhook,
    events: [...retries, ...fresh]
      .map(({ attempts, webhook_id: _id, is_new: _new, ...event }) => ({ event, attempts }))
      .toSorted((a, b) => a.event.id - b.event.id),
    until: isCut ? fresh.at(-1)!.id : scannedUntil,
    more: isCut || isFull || retries.length === limit,
  };
}

const limitOf = ({ failed_rounds: failed }: ClaimedWebhook) =>
  failed > 0 ? PROBES_MAX : EVENTS_MAX;

/** SQL: whether `webhook w` is due. Without `settled`, events not yet readable count too. */
const isDue = (settled = '') => `status = 'active' and not_before <= now()
  and claimed_until <= now()
  and (exists (select from webhook_delivery
                where webhook_id = w.id and status = 'waiting' and next_at <= now())
    or exists (select from event where root_id = w.root_id and id > w.position ${settled}))`;

const SETTLED = 'and id <= (select id from event_watermark)';

const CLAIMED = {
  ...SENT_TO_COLUMNS,
  failed_rounds: column.int,
  /** The last event searched. */
  scanned_until: column.id,
  /** Whether there may be more events after that. */
  is_full: column.boolean,
};
type ClaimedWebhook = Row<typeof CLAIMED>;

const CLAIM_THOSE = `
  with claimed as (
    update webhook set claimed_until = now() + interval '${CLAIM}'
     where id in (select id from webhook w where id = any ($1) and ${isDue(SETTLED)}
                     for update skip locked)
    returning *, case when previous_until > now() then previous_secret end as previous)
  select ${namesOf(SENT_TO_COLUMNS)}, failed_rounds,
         coalesce(scanned.until, position) as scanned_until,
         scanned.count = ${SCANNED_MAX} as is_full
    from claimed w cross join lateral (
      select max(id) as until, count(*) as count
        from (select id from event where root_id = w.root_id and id > w.position ${SETTLED}
               order by id limit ${SCANNED_MAX}) e) scanned`;

const FOUND = {
  ...EVENT_COLUMNS,
  webhook_id: column.id,
  attempts: column.int,
  is_new: column.boolean,
};
type FoundEvent = Row<typeof FOUND>;

/** Finds the due events of claimed webhooks; of new events one more than a round sends. */
const findEvents = (db: Database, claimed: readonly ClaimedWebhook[]): Promise<FoundEvent[]> =>
  rows(
    db,
    FOUND,
    `select w.id as webhook_id, due.attempts, due.is_new, ${namesOf(EVENT_COLUMNS, 'e')}
       from unnest($1::bigint[], $2::bigint[], $3::int[]) as claimed(id, until, count)
       join webhook w on w.id = claimed.id
      cross join lateral (
        (select event_id, attempts, false as is_new from webhook_delivery
          where webhook_id = w.id and status = 'waiting' and next_at <= now()
          order by next_at, event_id limit claimed.count)
        union all
        (select id, 0, true from event
          where root_id = w.root_id and id > w.position and id <= claimed.until
            and ${isOfTypes('type', 'w.types')}
          order by id limit claimed.count + 1)) due
       join event e on e.id = due.event_id
      order by e.id`,
    [
      claimed.map(({ id }) => id),
      claimed.map(({ scanned_until: until }) => until),
      claimed.map(limitOf),
    ],
  );
