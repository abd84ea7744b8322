import { EVENT_COLUMNS, type EventRow } from '../events/find_events.ts';
import type { Tx } from '../kernel/operation.ts';
import { column, namesOf, nullable, rows, type Row } from '../platform/rows.ts';
import { previousSecretOf, secretOf } from './webhooks.ts';

const EVENTS_MAX = 10;
/** Of new events that are looked at for those of its types. */
const SCANNED_MAX = 1_000;
/** While nothing arrives, one event asks whether anything does. */
const PROBES_MAX = 1;

export interface DueEvent {
  readonly event: EventRow;
  /** Attempts before. */
  readonly attempts: number;
}

/** What is to be sent now, and where. It holds secrets, and is never stored. */
export interface Round {
  readonly url: string;
  /** The types by which its new events were chosen. */
  readonly types: readonly string[];
  readonly secrets: readonly string[];
  /** By the clock of the database: receivers refuse what seems to be old. */
  readonly now: Date;
  readonly events: readonly DueEvent[];
  /** The webhook's position when every new event of the round is recorded. */
  readonly until: number;
  /** More may be due. */
  readonly more: boolean;
}

/** SQL: a type of events is among those of a webhook. Tests are sent to the one that is tested. */
export const isOfTypes = (type: string, types: string): string =>
  `(${type} <> 'webhook.test' and (${types} = '{}' or ${type} = any (${types})
     or split_part(${type}, '.', 1) || '.*' = any (${types})))`;

/** Undefined: there is nothing to send. */
export async function findRound(tx: Tx, webhookId: number): Promise<Round | undefined> {
  const [webhook] = await rows(
    tx.db,
    WEBHOOK,
    `select ${namesOf(WEBHOOK, 'w')} from (
       select *, case when previous_until > now() then previous_secret end as previous
         from webhook) w
      where id = $1 and status = 'active' and not_before <= now()`,
    [webhookId],
  );
  if (!webhook) return undefined;
  const limit = webhook.failed_rounds > 0 ? PROBES_MAX : EVENTS_MAX;
  const retries = await rows(
    tx.db,
    { ...EVENT_COLUMNS, attempts: column.int },
    `select ${namesOf(EVENT_COLUMNS, 'e')}, d.attempts
       from webhook_delivery d join event e on e.id = d.event_id
      where d.webhook_id = $1 and d.status = 'waiting' and d.next_at <= now()
      order by d.next_at, e.id limit $2`,
    [webhookId, limit],
  );
  const fresh = await findNew(tx, webhook, limit);
  const events = [
    ...retries.map(({ attempts, ...event }) => ({ event, attempts })),
    ...fresh.events.map((event) => ({ event, attempts: 0 })),
  ].toSorted((a, b) => a.event.id - b.event.id);
  if (events.length === 0 && fresh.until === webhook.position) return undefined;
  const secrets = [tx.secrets.open(webhook.secret, secretOf(webhook))];
  if (webhook.previous) secrets.push(tx.secrets.open(webhook.previous, previousSecretOf(webhook)));
  const more = retries.length === limit || fresh.more;
  const { url, types } = webhook;
  return { url, types, secrets, now: tx.now, events, until: fresh.until, more };
}

/** The next new events, and up to where they were looked for. */
async function findNew(tx: Tx, { id, position }: Row<typeof WEBHOOK>, limit: number) {
  const found = await rows(
    tx.db,
    { ...EVENT_COLUMNS, is_wanted: column.boolean },
    `select ${namesOf(EVENT_COLUMNS, 'e')}, ${isOfTypes('e.type', 'w.types')} as is_wanted
       from webhook w cross join lateral (
         select * from event where root_id = w.root_id and id > w.position
            and id <= (select id from event_watermark) order by id limit $2) e
      where w.id = $1 order by e.id`,
    [id, SCANNED_MAX],
  );
  const wanted = found.filter(({ is_wanted: isWanted }) => isWanted).slice(0, limit + 1);
  const isFull = wanted.length > limit;
  const events = wanted.slice(0, limit);
  const until = isFull ? events.at(-1)!.id : (found.at(-1)?.id ?? position);
  return { events, until, more: isFull || found.length === SCANNED_MAX };
}

const WEBHOOK = {
  id: column.id,
  root_id: column.id,
  url: column.text,
  types: column.texts,
  position: column.id,
  failed_rounds: column.int,
  secret: column.bytes,
  previous: nullable(column.bytes),
};
