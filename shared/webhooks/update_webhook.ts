import { operation } from '../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../kernel/schema.ts';
import { row } from '../platform/rows.ts';
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
    'Changes where and which events are sent, or stops and starts it: what happened meanwhile is ' +
    'sent when it is active again. Free.',
  access: 'owner',
  mode: 'write',
  domain: 'webhooks',
  rest: 'PATCH /api/v1/webhooks/:webhook_id',
  tool: false,
  idempotent: true,
  refusals: ['not_found'],
  input: Input({
    webhook_id: Id('From list_webhooks.'),
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    status: Type.Optional(OneOf(STATUSES, 'active or disabled.')),
  }),
  output: WebhookView,

  async handle(tx, { webhook_id, url, types, description, status }) {
    const before = await lockWebhook(tx, webhook_id);
    const changed = await row(
      tx.db,
      WEBHOOK_COLUMNS,
      // Somebody has mended it: it is tried at once.
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
