import { Id, Output, Type } from '../kernel/schema.ts';
import { viewOf, WEBHOOK_FIELDS, type Webhook } from './webhooks.ts';

/** A webhook as operators see it. What follows the path of its URL may be a secret. */
export const OperatorWebhookView = Output('OperatorWebhook', {
  ...WEBHOOK_FIELDS,
  root_id: Id('The root of the tree that it is of.'),
  url: Type.String({ description: 'Where events are sent, without what follows the path.' }),
});

export function operatorViewOf(webhook: Webhook) {
  const { origin, pathname } = new URL(webhook.url);
  return { ...viewOf(webhook), root_id: webhook.root_id, url: `${origin}${pathname}` };
}
