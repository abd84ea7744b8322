import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, namesOf, rows } from '../platform/rows.ts';
import { deliverEvents } from './deliver_events.ts';
import { CLAIM, HOLDER_COLUMNS, holderOf } from './webhooks.ts';

const WEBHOOKS_MAX = 500;

/** Starts a round of each webhook for which something is due and no round runs. */
export const sendEvents = operation({
  name: 'send_events',
  title: 'Send events',
  summary: 'Internal: starts what sends events to webhooks.',
  access: 'operator',
  mode: 'job',
  domain: 'webhooks',
  queue: 'timers',
  everyMs: 5_000,
  input: Input({}),
  output: Output({ started: Type.Integer({ description: 'How many rounds.' }) }),

  async handle(tx) {
    const due = await rows(
      tx.db,
      { id: column.id, ...HOLDER_COLUMNS },
      `update webhook set claimed_until = now() + interval '${CLAIM}'
        where id in (
          select id from webhook w
           where status = 'active' and not_before <= now() and claimed_until <= now()
             and (exists (select from webhook_delivery
                           where webhook_id = w.id and status = 'waiting' and next_at <= now())
               or exists (select from event
                           where root_id = w.root_id and id > w.position
                             and id <= (select id from event_watermark)))
           order by not_before, id limit $1 for update skip locked)
       returning id, ${namesOf(HOLDER_COLUMNS)}`,
      [WEBHOOKS_MAX],
    );
    const inputs = due.map((webhook) => ({ webhook_id: webhook.id, holder: holderOf(webhook) }));
    await tx.enqueueAll(deliverEvents, inputs, { cause: 'round' });
    return { started: due.length };
  },
});
