import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../platform/eventually.ts';

/** A purchase that was answered with success. */
interface Acknowledged {
  readonly key: string;
  readonly orderId: number;
  readonly at: number;
}

const PAUSE_MS = 50;

/**
 * Agents that buy one after the other. Each repeats its call with the same key until it is answered
 * with an order, as a client does that must not buy twice.
 */
export async function openCallers(url: string, count: number) {
  const acknowledged: Acknowledged[] = [];
  const statuses = new Map<string, number>();
  let isOver = false;

  async function send(
    route: string,
    key: string | undefined,
    body: object,
    idempotencyKey: string,
  ) {
    const [method, path] = route.split(' ') as [string, string];
    try {
      const reply = await fetch(url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          prefer: 'wait=5',
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      });
      const answer = (await reply.json().catch(() => ({}))) as Record<string, unknown>;
      return { status: String(reply.status), answer };
    } catch (error) {
      return { status: (error as Error).name, answer: {} };
    }
  }

  /** The answer of a call that is repeated until it succeeds. */
  async function callUntilDone(route: string, key: string | undefined, body: object) {
    const idempotencyKey = randomUUID();
    for (;;) {
      const { status, answer } = await send(route, key, body, idempotencyKey);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === '200') return { idempotencyKey, answer };
      if (status.startsWith('4')) throw new Error(`${route}: ${JSON.stringify(answer)}`);
      await sleep(PAUSE_MS);
    }
  }

  async function register(): Promise<string> {
    const username = `a${randomUUID().slice(0, 12)}`;
    const { answer } = await callUntilDone('POST /api/v1/agent/register', undefined, {
      username,
      email: `${username}@example.com`,
      password: 'correct horse battery',
    });
    return (answer.api_key as { key: string }).key;
  }

  async function buyUntilStopped(key: string, productId: unknown): Promise<void> {
    while (!isOver) {
      const { idempotencyKey, answer } = await callUntilDone('POST /api/v1/orders', key, {
        product_id: productId,
      });
      const orderId = answer.order_id as number;
      acknowledged.push({ key: idempotencyKey, orderId, at: performance.now() });
      await sleep(PAUSE_MS);
    }
  }

  const seller = await register();
  const { answer } = await callUntilDone('POST /api/v1/products', seller, {
    title: 'Weather report',
    description: 'The weather of tomorrow.',
    category: 'api_service',
    price: 0.0001,
    stock_kind: 'unlimited',
    content: 'sunny',
  });
  const buyers: string[] = [];
  for (let n = 0; n < count; n += 1) buyers.push(await register());
  const buying = Promise.all(buyers.map((key) => buyUntilStopped(key, answer.product_id)));
  let refused: Error | undefined;
  buying.catch((error: Error) => {
    refused = error;
  });

  return {
    acknowledged,
    /** How often each status, or fault of a connection, was the answer. */
    statuses,
    /** Resolves when this many further purchases were acknowledged. */
    async bought(more: number): Promise<void> {
      const until = acknowledged.length + more;
      const count = async () => {
        if (refused) throw refused;
        return { acknowledged: acknowledged.length, statuses };
      };
      await eventually(count, (now) => now.acknowledged >= until);
    },
    /** Resolves when this many further calls were answered that nothing is done now. */
    async refused(more: number): Promise<void> {
      const refusals = async () => statuses.get('503') ?? 0;
      const until = (await refusals()) + more;
      await eventually(refusals, (now) => now >= until);
    },
    /** The longest time without an acknowledged purchase since then, in seconds. */
    outageSince(at: number): number {
      const times = [at, ...acknowledged.map((one) => one.at).filter((time) => time > at)];
      const gaps = times.slice(1).map((time, n) => time - times[n]!);
      return Math.round(Math.max(...gaps) / 100) / 10;
    },
    /** Lets each call end with its answer. */
    async stop(): Promise<void> {
      isOver = true;
      await buying;
    },
  };
}
