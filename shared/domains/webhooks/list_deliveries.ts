import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, Paging, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows } from '../../platform/rows.ts';
import { findWebhook } from './webhooks.ts';

const STATUSES = ['waiting', 'arrived', 'given_up'] as const;

const DELIVERY = view('Delivery', {
  event_id: {
    schema: Type.String({ description: 'The event; webhook-id of the message.' }),
    column: column.id,
    show: (id: number) => `evt_${id}`,
  },
  type: field.text('Type of the event.'),
  status: field.oneOf(STATUSES, 'waiting: it is sent, or sent again, at next_attempt_at.'),
  attempts: field.whole('Attempts made.'),
  http_status: field.orNull(field.whole('HTTP status received; null: none.')),
  fault: field.orNull(field.text('The fault; null: it arrived.')),
  attempted_at: field.orNull(field.time('The last attempt; null: there was none.')),
  next_attempt_at: field.orNull(
    field.time('The next attempt, if the webhook is active then; null: none.'),
  ),
});

export const listDeliveries = operation({
  name: 'list_deliveries',
  title: 'List deliveries of a webhook',
  summary:
    'Lists the events that were sent to a webhook in the last three days, or wait for another ' +
    'attempt, newest event first, each with its arrival and the response. Free.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/webhooks/:webhook_id/deliveries',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({ webhook_id: Id('From list_webhooks.'), ...Paging }),
  output: List('deliveries', DELIVERY.schema),

  async handle(tx, { webhook_id, ...paging }) {
    const webhook = await findWebhook(tx, webhook_id);
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      DELIVERY.columns,
      `select e.id as event_id, e.type, d.status, d.attempts, d.attempted_at, d.http_status,
              d.fault, d.next_at as next_attempt_at
         from webhook_delivery d join event e on e.id = d.event_id
        where d.webhook_id = $1 and d.event_id < $2::bigint order by d.event_id desc limit $3`,
      [webhook.id, page.before, page.limit + 1],
    );
    const { page: deliveries, rest } = paged(found, page, 'event_id');
    return { deliveries: deliveries.map(DELIVERY.show), ...rest };
  },
});
