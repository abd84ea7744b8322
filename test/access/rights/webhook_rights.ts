import { webhookOfBuyer } from '../fresh_objects.ts';
import type { Right } from './right.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };

/** Webhooks are their owner's, over REST: a secret in a model's context is a leaked one. */
export const WEBHOOK_RIGHTS: Readonly<Record<string, Right>> = {
  list_webhooks: { route: 'GET /api/v1/webhooks', access: 'owner', isTool: false },
  create_webhook: {
    route: 'POST /api/v1/webhooks',
    access: 'owner',
    isTool: false,
    input: () => ({ url: 'https://example.com/events' }),
  },
  list_deliveries: {
    route: 'GET /api/v1/webhooks/:webhook_id/deliveries',
    access: 'owner',
    isTool: false,
    input: webhookOfBuyer,
    answers: onlyBuyer,
    object: 'webhook_id',
  },
  update_webhook: {
    route: 'PATCH /api/v1/webhooks/:webhook_id',
    access: 'owner',
    isTool: false,
    input: webhookOfBuyer,
    answers: onlyBuyer,
    object: 'webhook_id',
  },
  delete_webhook: {
    route: 'DELETE /api/v1/webhooks/:webhook_id',
    access: 'owner',
    isTool: false,
    input: webhookOfBuyer,
    answers: onlyBuyer,
    object: 'webhook_id',
  },
  rotate_webhook_secret: {
    route: 'POST /api/v1/webhooks/:webhook_id/rotate',
    access: 'owner',
    isTool: false,
    input: webhookOfBuyer,
    answers: onlyBuyer,
    object: 'webhook_id',
  },
  test_webhook: {
    route: 'POST /api/v1/webhooks/:webhook_id/test',
    access: 'owner',
    isTool: false,
    input: webhookOfBuyer,
    answers: onlyBuyer,
    object: 'webhook_id',
  },
  replay_webhook: {
    route: 'POST /api/v1/webhooks/:webhook_id/replay',
    access: 'owner',
    isTool: false,
    input: async (scene) => ({ ...(await webhookOfBuyer(scene)), event_id: 'evt_1' }),
    answers: onlyBuyer,
    object: 'webhook_id',
  },
};
