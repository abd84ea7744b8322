import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { lockWebhook, viewOf, WebhookView } from './webhooks.ts';

export const deleteWebhook = operation({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  summary: 'Deletes a webhook: nothing more is sent, and its secret is forgotten. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'DELETE /api/v1/webhooks/:webhook_id',
  bindings: { tool: false },
  effects: { destructive: true },
  refusals: ['not_found'],
  input: Input({ webhook_id: Id('From list_webhooks.') }),
  output: WebhookView.schema,

  async handle(tx, { webhook_id }) {
    const webhook = await lockWebhook(tx, webhook_id);
    await execute(tx.db, 'delete from webhook where id = $1', [webhook_id]);
    return viewOf(webhook);
  },
});
