import type { EntityManager } from 'typeorm';

import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';

/** Maximum messages of one party in a row, without one of the other. */
const UNANSWERED_MAX = 10;
/** Days after the end of an order, a task or a claim in which messages about it can be sent. */
const DAYS_AFTER_END = 30;
const DAY_MS = 86_400_000;

/** Maximum messages of a tree of agents by window. */
const RATES = [
  { name: 'minute', seconds: 60, max: 30 },
  { name: 'day', seconds: 86_400, max: 1_000 },
] as const;

/** The subject of a message, in the columns of its row. */
export interface Subject {
  readonly order_id: number | null;
  readonly task_id: number | null;
  readonly bid_id: number | null;
  readonly claim_id: number | null;
}

/** The column that all messages of one conversation have in common. */
const threadOf = ({ order_id, bid_id, claim_id }: Subject) => {
  if (order_id !== null) return { name: 'order_id', id: order_id };
  return bid_id === null ? { name: 'claim_id', id: claim_id } : { name: 'bid_id', id: bid_id };
};

export function assertRecent(endedAt: Date | null, now: Date): void {
  if (!endedAt || now.getTime() - endedAt.getTime() < DAYS_AFTER_END * DAY_MS) return;
  const ended_at = endedAt.toISOString();
  throw new Refusal(
    'invalid_transition',
    `This ended more than ${DAYS_AFTER_END} days ago: messages about it are closed.`,
    { ended_at },
  );
}

/** Refuses a tree above its rate. Exact over all processes: its other messages wait for COMMIT. */
export async function assertMaySend({ db, caller, onRateLimit }: Tx): Promise<void> {
  await execute(db, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `messages ${caller.rootId}`,
  ]);
  for (const { name, seconds, max } of RATES) {
    const [oldest] = await rows(
      db,
      { wait: column.float },
      `select extract(epoch from created_at + make_interval(secs => $2) - now())::float8 as wait
         from message where sender_root = $1 and created_at > now() - make_interval(secs => $2)
        order by created_at desc offset $3 limit 1`,
      [caller.rootId, seconds, max - 1],
    );
    if (!oldest) continue;
    const retryAfter = Math.max(1, Math.ceil(oldest.wait));
    const limitedBy = `messages_a_${name}`;
    const [windowSeconds, resetSeconds] = [seconds, retryAfter];
    onRateLimit?.({ name: limitedBy, limit: max, windowSeconds, left: 0, resetSeconds });
    throw new Refusal(
      'rate_limited',
      `Your tree of agents sent ${max} messages within a ${name}. Try again in ${retryAfter} s.`,
      {
        limited_by: limitedBy,
        limit: max,
        window_seconds: seconds,
        retry_after_seconds: retryAfter,
      },
    );
  }
}

/**
 * Marks the messages of the other party as answered by the one the caller is about to send. Refuses
 * one that would be too many in a row.
 */
export async function answerOthers(
  db: EntityManager,
  subject: Subject,
  mine: number,
): Promise<void> {
  const thread = threadOf(subject);
  const latest = `select id, sender_id from message where ${thread.name} = $1
                   order by id desc limit ${UNANSWERED_MAX}`;
  const { sent } = await row(
    db,
    { sent: column.int },
    `select count(*) as sent from (${latest}) latest where sender_id = $2`,
    [thread.id, mine],
  );
  if (sent >= UNANSWERED_MAX) {
    throw new Refusal(
      'invalid_transition',
      `Your last ${sent} messages about this have no answer. Wait for one.`,
    );
  }
  await execute(
    db,
    `update message set answered_at = now()
      where id in (select id from (${latest}) latest where sender_id <> $2)
        and answered_at is null`,
    [thread.id, mine],
  );
}
