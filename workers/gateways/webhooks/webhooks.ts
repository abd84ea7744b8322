import { BlockedTarget, type Egress } from '../../../shared/platform/egress/egress.ts';
import { counter } from '../../../shared/platform/metrics.ts';
import type { WebhookGateway } from '../../../shared/domains/webhooks/gateway.ts';

const deliveries = counter(
  'market_webhook_deliveries_total',
  'Attempts to deliver events, by outcome: the class of the status, or none.',
  ['outcome'],
);

for (const outcome of ['2xx', '3xx', '4xx', '5xx', 'none', 'blocked']) {
  deliveries.inc({ outcome }, 0);
}

const SEND_MS_MAX = 15_000;
/** Maximum length of an answer, of which only the status matters. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** Sends only to public addresses, through the egress guard; a POST follows no redirect. */
export const openWebhooks = (egress: Egress): WebhookGateway => ({
  async send({ webhookId, url, headers, body }) {
    try {
      const { status } = await egress.request(url, {
        method: 'POST',
        headers,
        body,
        timeoutMs: SEND_MS_MAX,
        bytesMax: ANSWER_BYTES_MAX,
        keptFor: String(webhookId),
      });
      deliveries.inc({ outcome: `${Math.floor(status / 100)}xx` });
      return { status };
    } catch (error) {
      deliveries.inc({ outcome: error instanceof BlockedTarget ? 'blocked' : 'none' });
      return { fault: reasonOf(error) };
    }
  },
});

/** A network fault that the owner can act on; it never says what a name resolves to. */
function reasonOf(error: unknown): string {
  if (error instanceof BlockedTarget) return error.message;
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return 'did not answer in 15 seconds';
  return (code ?? message).slice(0, 200);
}
