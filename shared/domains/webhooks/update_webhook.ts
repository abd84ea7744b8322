import { assertEventTypes } from '../events/event_types.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../../kernel/schema.ts';
import { row } from '../../platform/rows.ts';
import {
  checkUrl,
  Description,
  lockWebhook,
  RETURNED,
  STATUSES,
  Types,
  Url,
  viewOf,
  WEBHOOK_COLUMNS,
  WebhookView,
} from './webhooks.ts';

export const updateWebhook = operation({
  name: 'update_webhook',
  title: 'Change a webhook',
  summary:
    'Changes the URL or the types of a webhook, or disables it. Events are kept ' +
    'meanwhile and sent once it is active again. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'PATCH /api/v1/webhooks/:webhook_id',
  bindings: { tool: false },
  effects: { idempotent: true },
  refusals: ['not_found'],
  input: Input({
    webhook_id: Id('From list_webhooks.'),
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    status: Type.Optional(OneOf(STATUSES, 'active or disabled.')),
  }),
  output: WebhookView.schema,

  async handle(tx, { webhook_id, url, types, description, status }) {
    if (types) assertEventTypes('/types', types);
    const before = await lockWebhook(tx, webhook_id);
    const changed = await row(
      tx.db,
      WEBHOOK_COLUMNS,
      // Its owner has probably repaired it: it is tried at once.
      `update webhook set url = $2, types = $3, description = $4, status = $5,
              types_from = case when types = $3 then types_from else position end,
              not_before = '-infinity', failed_rounds = 0, failing_since = null
        where id = $1 returning ${RETURNED}`,
      [
        webhook_id,
        url === undefined ? before.url : checkUrl(tx, url),
        types ?? before.types,
        description ?? before.description,
        status ?? before.status,
      ],
    );
    return viewOf(changed);
  },
});
