import { emit } from '../events/events.ts';
import type { Tx } from '../kernel/operation.ts';
import { counter } from '../platform/metrics.ts';
import { column, execute, rows, type Database } from '../platform/rows.ts';
import type { Round } from './round.ts';
import { ATTEMPTS_MAX, pauseAfter, pauseAfterRounds } from './schedule.ts';
import { CLAIM } from './webhooks.ts';

const disabled = counter(
  'market_webhooks_disabled_total',
  'Webhooks that were disabled, because nothing arrived.',
);

/** One attempt of one event, which arrived or did not. */
export interface Attempt {
  readonly eventId: number;
  /** Attempts before. */
  readonly before: number;
  /** What was answered; null: nothing. */
  readonly httpStatus: number | null;
  /** Null: it arrived. */
  readonly fault: string | null;
}

export interface RoundResult {
  readonly round: Round;
  readonly attempts: readonly Attempt[];
}

/** Records what arrived and when the rest is due, and disables a webhook of which nothing does. */
export async function recordRound(tx: Tx, webhookId: number, { round, attempts }: RoundResult) {
  const failed = attempts.filter(({ fault }) => fault !== null);
  const arrived = attempts.length - failed.length;
  const isDead = arrived === 0 && failed.length > 0;
  const [webhook] = await rows(
    tx.db,
    { root_id: column.id, failed_rounds: column.int, failing_hours: column.float },
    `select root_id, failed_rounds,
            coalesce(extract(epoch from now() - failing_since) / 3600, 0)::float8 as failing_hours
       from webhook where id = $1 and status = 'active' for update`,
    [webhookId],
  );
  if (!webhook) return { arrived, failed: failed.length, more: false };

  await recordEvents(tx, webhookId, { round, attempts });
  const givenUp = failed.some(({ before }) => before + 1 >= ATTEMPTS_MAX);
  const isDisabled = isDead && givenUp && webhook.failing_hours > 0;
  const pauseMs = isDead ? pauseAfterRounds(webhook.failed_rounds + 1) : 0;
  await execute(
    tx.db,
    `update webhook set
            position = greatest(position, $2),
            types_from = case when types = $9 then types_from else greatest(types_from, $2) end,
            status = case when $3 then 'disabled' else status end,
            failed_rounds = case when $4 then failed_rounds + 1 when $5 then 0
                                 else failed_rounds end,
            failing_since = case when $4 then coalesce(failing_since, now()) when $5 then null
                                 else failing_since end,
            not_before = now() + $6 * interval '1 ms',
            last_delivery = case when $5 then now() else last_delivery end,
            last_fault = coalesce($7, last_fault),
            claimed_until = case when $8 then now() + interval '${CLAIM}' else '-infinity' end
      where id = $1`,
    [
      webhookId,
      round.until,
      isDisabled,
      isDead,
      arrived > 0,
      pauseMs,
      failed.at(-1)?.fault ?? null,
      round.more && !isDead,
      round.types,
    ],
  );
  if (isDisabled) {
    disabled.inc();
    const object = { kind: 'webhook', id: webhookId, status: 'disabled' };
    const { root_id: agentId } = webhook;
    await emit(tx.db, [{ agentId, type: 'webhook.disabled', object, data: {} }]);
  }
  return { arrived, failed: failed.length, more: round.more && !isDead };
}

/** Whether each event arrived, when it is attempted again, or that it is given up. */
async function recordEvents(tx: Tx, webhookId: number, { round, attempts }: RoundResult) {
  const byEvent = new Map(attempts.map((attempt) => [attempt.eventId, attempt]));
  const deliveries = round.events.map(({ event, attempts: before }) => {
    const attempt = byEvent.get(event.id);
    const made = before + (attempt ? 1 : 0);
    const { httpStatus = null, fault = null } = attempt ?? {};
    const hasCome = attempt?.fault === null;
    const pauseMs = hasCome ? undefined : attempt ? pauseAfter(made) : 0;
    const status = hasCome ? 'arrived' : pauseMs === undefined ? 'given_up' : 'waiting';
    return {
      eventId: event.id,
      status,
      made,
      isSent: attempt !== undefined,
      httpStatus,
      fault,
      pauseMs,
    };
  });
  await execute(
    tx.db,
    `insert into webhook_delivery
       (webhook_id, event_id, status, attempts, attempted_at, http_status, fault, next_at)
     select $1, event, status, attempts, case when is_sent then now() end, http_status, fault,
            now() + pause_ms * interval '1 ms'
       from unnest($2::bigint[], $3::text[], $4::smallint[], $5::boolean[], $6::smallint[],
                   $7::text[], $8::float8[])
            as of(event, status, attempts, is_sent, http_status, fault, pause_ms)
         on conflict (webhook_id, event_id) do update
       set status = excluded.status, attempts = excluded.attempts, next_at = excluded.next_at,
           attempted_at = excluded.attempted_at, http_status = excluded.http_status,
           fault = excluded.fault
     where excluded.attempted_at is not null`,
    [
      webhookId,
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ status }) => status),
      deliveries.map(({ made }) => made),
      deliveries.map(({ isSent }) => isSent),
      deliveries.map(({ httpStatus }) => httpStatus),
      deliveries.map(({ fault }) => fault),
      deliveries.map(({ pauseMs }) => pauseMs ?? null),
    ],
  );
}

/** There was nothing to send: the next round may begin when there is. */
export async function endClaim(db: Database, webhookId: number): Promise<void> {
  await execute(db, `update webhook set claimed_until = '-infinity' where id = $1`, [webhookId]);
}
