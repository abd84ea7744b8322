import { Id, Output, Type } from '../../kernel/schema.ts';
import { viewOf, WebhookView, type Webhook } from './webhooks.ts';

/** A webhook as operators see it. The query of its URL may hold a secret. */
export const OperatorWebhookView = Output('OperatorWebhook', {
  ...WebhookView.schema.properties,
  root_id: Id('The root of its tree.'),
  url: Type.String({ description: 'URL that events are sent to, up to its path.' }),
});

export function operatorViewOf(webhook: Webhook) {
  const { origin, pathname } = new URL(webhook.url);
  return { ...viewOf(webhook), root_id: webhook.root_id, url: `${origin}${pathname}` };
}
