import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { deliverEvents } from './deliver_events.ts';

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
      { webhook_id: column.id },
      `update webhook set claimed_until = now() + interval '60 s'
        where id in (
          select id from webhook w
           where status = 'active' and not_before <= now() and claimed_until <= now()
             and (exists (select from webhook_retry
                           where webhook_id = w.id and next_at <= now())
               or exists (select from event
                           where root_id = w.root_id and id > w.position
                             and id <= (select id from event_watermark)))
           order by not_before, id limit $1 for update skip locked)
       returning id as webhook_id`,
      [WEBHOOKS_MAX],
    );
    await tx.enqueueAll(deliverEvents, due, { cause: 'round' });
    return { started: due.length };
  },
});
