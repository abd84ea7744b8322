import type { DataSource, EntityManager } from 'typeorm';

import type { EventType } from '../events/event_types.ts';
import { emit } from '../events/events.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { transact } from '../../platform/database.ts';
import { counter } from '../../platform/metrics.ts';
import { column, execute, rows, type Database, type Row } from '../../platform/rows.ts';
import { CLAIM, type Attempt, type RoundResult } from './round.ts';
import { ATTEMPTS_MAX, pauseAfter, pauseAfterRounds } from './schedule.ts';

const disabled = counter(
  'market_webhooks_disabled_total',
  'Webhooks that were disabled because nothing arrived.',
);

/** Records arrivals and the next attempts of the rest, and disables webhooks that keep failing. */
export async function recordRounds(
  database: DataSource,
  ended: readonly RoundResult[],
): Promise<void> {
  const ids = ended.map(({ round }) => String(round.webhook.id));
  crashPoint('H1', ids);
  await transact(database, async (db) => {
    // Events whose record a crash of PostgreSQL loses are sent again: no need to wait for the disk.
    await execute(db, `select set_config('synchronous_commit', 'off', true)`);
    await record(db, ended);
    crashPoint('H2', ids);
  });
  crashPoint('H3', ids);
}

async function record(db: EntityManager, ended: readonly RoundResult[]): Promise<void> {
  const locked = await rows(
    db,
    WEBHOOK_COLUMNS,
    `select id, root_id, types, failed_rounds,
            coalesce(extract(epoch from now() - failing_since) / 3600, 0)::float8 as failing_hours,
            status = 'active' as is_active
       from webhook where id = any ($1) order by id for update`,
    [ended.map(({ round }) => round.webhook.id)],
  );
  const webhooks = new Map(locked.map((webhook) => [webhook.id, webhook]));
  const changes = ended.flatMap((one) => {
    const webhook = webhooks.get(one.round.webhook.id);
    return webhook ? [changeOf(webhook, one)] : [];
  });
  // A webhook disabled meanwhile records nothing: its events are sent when it is active again.
  const recorded = changes.filter(({ webhook }) => webhook.is_active);
  await recordEvents(db, recorded);
  await changeWebhooks(db, recorded);
  if (recorded.length < changes.length) await endClaims(db, changes);
  disabled.inc(recorded.filter(({ isDisabled }) => isDisabled).length);
  const told = recorded.flatMap(({ webhook: { id, root_id: agentId }, isDisabled, hasGivenUp }) => {
    if (!isDisabled && !hasGivenUp) return [];
    const status = isDisabled ? 'disabled' : 'active';
    const type: EventType = isDisabled ? 'webhook.disabled' : 'webhook.delivery_failed';
    return [{ agentId, type, object: { kind: 'webhook' as const, id, status }, data: {} }];
  });
  if (told.length > 0) await emit(db, told);
}

const WEBHOOK_COLUMNS = {
  id: column.id,
  root_id: column.id,
  types: column.texts,
  failed_rounds: column.int,
  failing_hours: column.float,
  is_active: column.boolean,
};

type Change = ReturnType<typeof changeOf>;

/** The change of a webhook after a round. */
function changeOf(webhook: Row<typeof WEBHOOK_COLUMNS>, { round, attempts }: RoundResult) {
  const before = new Map(round.events.map(({ event, attempts: made }) => [event.id, made]));
  const failed = attempts.filter(({ fault }) => fault !== null);
  const hasArrived = attempts.length > failed.length;
  const isDead = !hasArrived && failed.length > 0;
  const givenUp = failed.filter(({ eventId }) => before.get(eventId)! + 1 >= ATTEMPTS_MAX);
  const types = new Map(round.events.map(({ event }) => [event.id, event.type]));
  return {
    webhook,
    round,
    attempts,
    hasArrived,
    isDead,
    isDisabled: isDead && givenUp.length > 0 && webhook.failing_hours > 0,
    // Giving up an event about a webhook makes no event, or each would make the next.
    hasGivenUp: givenUp.some(({ eventId }) => !types.get(eventId)!.startsWith('webhook.')),
    pauseMs: isDead ? pauseAfterRounds(webhook.failed_rounds + 1) : 0,
    fault: failed.at(-1)?.fault ?? null,
    hasSameTypes: webhook.types.join() === round.webhook.types.join(),
  };
}

const changeWebhooks = (db: Database, changes: readonly Change[]): Promise<number> =>
  execute(
    db,
    `update webhook w set
            position = greatest(position, until),
            types_from = case when has_same_types then types_from
                              else greatest(types_from, until) end,
            status = case when is_disabled then 'disabled' else status end,
            failed_rounds = case when is_dead then failed_rounds + 1 when has_arrived then 0
                                 else failed_rounds end,
            failing_since = case when is_dead then coalesce(failing_since, now())
                                 when has_arrived then null else failing_since end,
            claimed_until = now(),
            not_before = now() + pause_ms * interval '1 ms',
            last_delivery = case when has_arrived then now() else last_delivery end,
            last_fault = coalesce(r.fault, last_fault)
       from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::boolean[], $5::boolean[],
                   $6::boolean[], $7::float8[], $8::text[])
         as r(id, until, has_same_types, is_disabled, is_dead, has_arrived, pause_ms, fault)
      where w.id = r.id`,
    [
      changes.map(({ webhook }) => webhook.id),
      changes.map(({ round }) => round.until),
      changes.map(({ hasSameTypes }) => hasSameTypes),
      changes.map(({ isDisabled }) => isDisabled),
      changes.map(({ isDead }) => isDead),
      changes.map(({ hasArrived }) => hasArrived),
      changes.map(({ pauseMs }) => pauseMs),
      changes.map(({ fault }) => fault),
    ],
  );

const endClaims = (db: Database, changes: readonly Change[]): Promise<number> =>
  execute(db, 'update webhook set claimed_until = now() where id = any ($1)', [
    changes.map(({ webhook }) => webhook.id),
  ]);

/** Records for each event its arrival, its next attempt, or that it is given up. */
async function recordEvents(db: Database, changes: readonly Change[]): Promise<void> {
  const deliveries = changes.flatMap(({ webhook, round, attempts }) => {
    const byEvent = new Map(attempts.map((attempt) => [attempt.eventId, attempt]));
    return round.events.map(({ event, attempts: before }) => {
      const attempt = byEvent.get(event.id);
      const made = before + (attempt ? 1 : 0);
      return { webhookId: webhook.id, eventId: event.id, attempt, made, ...next(attempt, made) };
    });
  });
  if (deliveries.length === 0) return;
  await execute(
    db,
    `insert into webhook_delivery
       (webhook_id, event_id, status, attempts, attempted_at, http_status, fault, next_at)
     select webhook, event, status, attempts, case when is_sent then now() end, http_status, fault,
            now() + pause_ms * interval '1 ms'
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::smallint[], $5::boolean[],
                   $6::smallint[], $7::text[], $8::float8[])
            as of(webhook, event, status, attempts, is_sent, http_status, fault, pause_ms)
         on conflict (webhook_id, event_id) do update
       set status = excluded.status, attempts = excluded.attempts, next_at = excluded.next_at,
           attempted_at = excluded.attempted_at, http_status = excluded.http_status,
           fault = excluded.fault
     where excluded.attempted_at is not null
       -- unless its owner has asked to send it again since the round was claimed
       and (webhook_delivery.next_at is null or webhook_delivery.next_at <=
            (select claimed_until - interval '${CLAIM}' from webhook
              where id = excluded.webhook_id))`,
    [
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ status }) => status),
      deliveries.map(({ made }) => made),
      deliveries.map(({ attempt }) => attempt !== undefined),
      deliveries.map(({ attempt }) => attempt?.httpStatus ?? null),
      deliveries.map(({ attempt }) => attempt?.fault ?? null),
      deliveries.map(({ pauseMs }) => pauseMs),
    ],
  );
}

/** The status of an event after `made` attempts, of which `attempt` was the last, if any. */
function next(attempt: Attempt | undefined, made: number) {
  if (!attempt) return { status: 'waiting', pauseMs: 0 };
  if (attempt.fault === null) return { status: 'arrived', pauseMs: null };
  const pauseMs = pauseAfter(made);
  if (pauseMs === undefined) return { status: 'given_up', pauseMs: null };
  return { status: 'waiting', pauseMs };
}
