import { createWebhook } from './create_webhook.ts';
import { deleteWebhook } from './delete_webhook.ts';
import { findWebhooks } from './find_webhooks.ts';
import { listDeliveries } from './list_deliveries.ts';
import { listWebhooks } from './list_webhooks.ts';
import { operatorSetWebhook } from './operator_set_webhook.ts';
import { replayWebhook } from './replay_webhook.ts';
import { rotateWebhookSecret } from './rotate_webhook_secret.ts';
import { testWebhook } from './test_webhook.ts';
import { updateWebhook } from './update_webhook.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listWebhooks,
  listDeliveries,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  findWebhooks,
  operatorSetWebhook,
] as const;
