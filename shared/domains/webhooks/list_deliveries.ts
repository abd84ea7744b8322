import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import {
  Id,
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  Time,
  Type,
} from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows } from '../../platform/rows.ts';
import { findWebhook } from './webhooks.ts';

const STATUSES = ['waiting', 'arrived', 'given_up'] as const;

const DELIVERY_FIELDS = {
  event_id: Type.String({ description: 'The event; webhook-id of the message.' }),
  type: Type.String({ description: 'Type of the event.' }),
  status: OneOf(STATUSES, 'waiting: it is sent, or sent again, at next_attempt_at.'),
  attempts: Type.Integer({ description: 'Attempts made.' }),
  attempted_at: Nullable(Time('The last attempt; null: there was none.')),
  http_status: Nullable(Type.Integer({ description: 'HTTP status received; null: none.' })),
  fault: Nullable(Type.String({ description: 'The fault; null: it arrived.' })),
  next_attempt_at: Nullable(Time('The next attempt, if the webhook is active then; null: none.')),
};

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
  output: List('deliveries', Output('Delivery', DELIVERY_FIELDS)),

  async handle(tx, { webhook_id, ...paging }) {
    const webhook = await findWebhook(tx, webhook_id);
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      DELIVERY_COLUMNS,
      `select e.id, e.type, d.status, d.attempts, d.attempted_at, d.http_status, d.fault, d.next_at
         from webhook_delivery d join event e on e.id = d.event_id
        where d.webhook_id = $1 and d.event_id < $2::bigint order by d.event_id desc limit $3`,
      [webhook.id, page.before, page.limit + 1],
    );
    const { page: shown, rest } = paged(found, page);
    const deliveries = shown.map(({ id, next_at, attempted_at, ...delivery }) => ({
      event_id: `evt_${id}`,
      ...delivery,
      attempted_at: attempted_at?.toISOString() ?? null,
      next_attempt_at: next_at?.toISOString() ?? null,
    }));
    return { deliveries, ...rest };
  },
});

const DELIVERY_COLUMNS = {
  id: column.id,
  type: column.text,
  status: oneOf<(typeof STATUSES)[number]>(),
  attempts: column.int,
  attempted_at: nullable(column.time),
  http_status: nullable(column.int),
  fault: nullable(column.text),
  next_at: nullable(column.time),
};
