import { createHmac } from 'node:crypto';

import type Stripe from 'stripe';

import type { Store } from './store.ts';

/** URL for events, and the secret that signs them. */
export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

/** One attempt to send an event. */
export interface Delivery {
  readonly event: string;
  readonly type: string;
  readonly url: string;
  /** Status of the endpoint's answer; 0: none. */
  readonly status: number;
}

/** Changes that a test makes to a message. */
export interface Tampering {
  /** Signed as if it were this old. */
  readonly ageSeconds?: number;
  readonly secret?: string;
  /** Put into the body after signing. */
  readonly amount?: number;
}

export interface WebhookSender {
  /** Sends to all endpoints, and again if they do not answer 2xx. */
  send(event: Stripe.Event): void;
  /** Sends once more, now, to all endpoints; returns their status codes. */
  sendNow(event: Stripe.Event, tampering?: Tampering): Promise<number[]>;
  /** From now on events wait. */
  hold(): void;
  /** Sends the waiting events, and resolves when each was answered. */
  release(order?: 'oldest first' | 'newest first'): Promise<void>;
  /** Attempts so far, oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when nothing is being sent. */
  settled(): Promise<void>;
  close(): void;
}

/** Pauses between attempts. Stripe repeats for three days; these are shorter. */
const RETRY_MS = [500, 2_000, 10_000, 60_000, 600_000, 3_600_000];
const ANSWER_MS = 30_000;
const DELIVERIES_KEPT = 10_000;

export function openWebhookSender(options: {
  readonly store: Store;
  readonly endpoints: readonly Endpoint[];
  readonly retryMs?: readonly number[];
}): WebhookSender {
  const { store, endpoints, retryMs = RETRY_MS } = options;
  const deliveries: Delivery[] = [];
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const closed = new AbortController();
  let held: Stripe.Event[] | undefined;

  async function post(endpoint: Endpoint, event: Stripe.Event, tampering?: Tampering) {
    const status = await postSigned(endpoint, event, closed.signal, tampering);
    deliveries.push({ event: event.id, type: event.type, url: endpoint.url, status });
    if (deliveries.length > DELIVERIES_KEPT) deliveries.shift();
    return status;
  }

  async function attempt(endpoint: Endpoint, event: Stripe.Event, n: number): Promise<void> {
    const status = await post(endpoint, event);
    if (closed.signal.aborted) return;
    if (status >= 200 && status < 300) {
      event.pending_webhooks = Math.max(0, event.pending_webhooks - 1);
      store.save(event);
      store.commit();
      return;
    }
    const delayMs = retryMs[n];
    if (delayMs === undefined) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      track(attempt(endpoint, event, n + 1));
    }, delayMs).unref();
    timers.add(timer);
  }

  function track(sending: Promise<void>): void {
    const tracked = sending.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  function send(event: Stripe.Event): void {
    if (held) held.push(event);
    else for (const endpoint of endpoints) track(attempt(endpoint, event, 0));
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    send,
    sendNow: (event, tampering) =>
      Promise.all(endpoints.map((endpoint) => post(endpoint, event, tampering))),
    hold: () => (held ??= []),
    async release(order = 'oldest first') {
      const waiting = held ?? [];
      held = undefined;
      for (const event of order === 'newest first' ? waiting.toReversed() : waiting) {
        send(event);
        await settled();
      }
    },
    deliveries,
    settled,
    close() {
      closed.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

async function postSigned(
  { url, secret }: Endpoint,
  event: Stripe.Event,
  closed: AbortSignal,
  { ageSeconds = 0, secret: foreign, amount }: Tampering = {},
): Promise<number> {
  const at = Math.floor(Date.now() / 1000) - ageSeconds;
  const signed = JSON.stringify(event);
  const body = amount ? signed.replaceAll(/"(amount\w*)":\d+/g, `"$1":${amount}`) : signed;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${signatureOf(`${at}.${signed}`, foreign ?? secret)}`,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closed, AbortSignal.timeout(ANSWER_MS)]),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

const signatureOf = (text: string, secret: string) =>
  createHmac('sha256', secret).update(text).digest('hex');
