import { emit } from '../events/events.ts';
import type { Tx } from '../kernel/operation.ts';
import { counter } from '../platform/metrics.ts';
import { column, execute, rows, type Database } from '../platform/rows.ts';
import type { Round } from './round.ts';
import { ATTEMPTS_MAX, pauseAfter, pauseAfterRounds } from './schedule.ts';

const disabled = counter(
  'market_webhooks_disabled_total',
  'Webhooks that were disabled, because nothing arrived.',
);

/** One attempt of one event, which arrived or did not. */
export interface Attempt {
  readonly eventId: number;
  readonly retryId: number | null;
  /** Attempts before. */
  readonly before: number;
  /** Undefined: it arrived. */
  readonly fault: string | undefined;
}

export interface RoundResult {
  readonly round: Round;
  readonly attempts: readonly Attempt[];
}

/** Records what arrived and when the rest is due, and disables a webhook of which nothing does. */
export async function recordRound(tx: Tx, webhookId: number, { round, attempts }: RoundResult) {
  const failed = attempts.filter(({ fault }) => fault !== undefined);
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
            status = case when $3 then 'disabled' else status end,
            failed_rounds = case when $4 then failed_rounds + 1 when $5 then 0
                                 else failed_rounds end,
            failing_since = case when $4 then coalesce(failing_since, now()) when $5 then null
                                 else failing_since end,
            not_before = now() + $6 * interval '1 ms',
            last_delivery = case when $5 then now() else last_delivery end,
            last_fault = coalesce($7, last_fault),
            claimed_until = case when $8 then now() + interval '60 s' else '-infinity' end
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

/** What did not arrive, or was not sent, has a row with its next attempt. */
async function recordEvents(tx: Tx, webhookId: number, { round, attempts }: RoundResult) {
  const byEvent = new Map(attempts.map((attempt) => [attempt.eventId, attempt]));
  const waiting: { eventId: number; attempts: number; pauseMs: number }[] = [];
  const done: number[] = [];
  for (const { event, attempts: before, retryId } of round.events) {
    const attempt = byEvent.get(event.id);
    const isSent = attempt !== undefined;
    const arrived = isSent && attempt.fault === undefined;
    const pauseMs = isSent ? pauseAfter(before + 1) : 0;
    if (!arrived && pauseMs !== undefined) {
      waiting.push({ eventId: event.id, attempts: before + (isSent ? 1 : 0), pauseMs });
    } else if (retryId !== null) done.push(retryId);
  }
  await execute(
    tx.db,
    `insert into webhook_retry as retry (webhook_id, event_id, attempts, next_at)
     select $1, event, attempts, now() + ms * interval '1 ms'
       from unnest($2::bigint[], $3::smallint[], $4::float8[]) as of(event, attempts, ms)
         on conflict (webhook_id, event_id)
         do update set attempts = excluded.attempts, next_at = excluded.next_at`,
    [
      webhookId,
      waiting.map(({ eventId }) => eventId),
      waiting.map((event) => event.attempts),
      waiting.map(({ pauseMs }) => pauseMs),
    ],
  );
  await execute(tx.db, 'delete from webhook_retry where id = any ($1)', [done]);
}

/** There was nothing to send: the next round may begin when there is. */
export async function endClaim(db: Database, webhookId: number): Promise<void> {
  await execute(db, `update webhook set claimed_until = '-infinity' where id = $1`, [webhookId]);
}
