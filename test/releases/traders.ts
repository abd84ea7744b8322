import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import { patience } from '../platform/pace.ts';

/** The APIs among which a router spreads calls. */
export interface Router {
  urls: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A purchase of a trader, with the status that its last answer told. */
interface Purchase {
  readonly key: string;
  readonly id: number;
  status: string;
}

const PAUSE_MS = 20;
/** Times that a pending call is asked for, ten seconds each, before it has failed. */
const POLLS_MAX = 3;
/** Addresses that the release before divides otherwise. Two cost: they are no addresses. */
const ADDRESSES = Array.from({ length: 120 }, (_, n) => (n % 110 === 0 ? `n${n}` : `n${n}@a.test`));
const BATCH_COST = 0.004;

/**
 * Agents that buy, open and confirm goods, and validate addresses, until they are stopped. They
 * repeat no call: each answer that is not a success is a failure of the deployment.
 */
export async function openTraders(router: Router, count: number) {
  const failures: string[] = [];
  const purchases: Purchase[] = [];
  let calls = 0;
  let isOver = false;

  async function send(route: string, key?: string, body?: object): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string];
    const url = router.urls[(calls += 1) % router.urls.length]!;
    const reply = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        prefer: 'wait=10',
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience(60_000)),
    });
    return { status: reply.status, body: (await reply.json()) as Answer['body'] };
  }

  async function call(route: string, key?: string, body?: object): Promise<Answer['body']> {
    try {
      const answer = await send(route, key, body);
      if (answer.status === 200) return answer.body;
      const ended =
        answer.status === 202 ? await endOf(answer.body.poll as string, key) : undefined;
      if (ended) return ended;
      failures.push(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    } catch (error) {
      failures.push(`${route}: ${inspect(error, { compact: true })}`);
    }
    return {};
  }

  /** The result of a call that was pending; undefined: it failed, or did not end in time. */
  async function endOf(poll: string, key?: string): Promise<Answer['body'] | undefined> {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const { body } = await send(`GET ${poll}?wait=10`, key);
      if (body.status === 'complete') return body.result as Answer['body'];
      if (body.status !== 'pending') return undefined;
    }
    return undefined;
  }

  async function register(): Promise<string> {
    const username = `a${randomUUID().slice(0, 12)}`;
    const person = {
      username,
      email: `${username}@example.com`,
      password: 'correct horse battery',
    };
    const { api_key: key } = await call('POST /api/v1/agent/register', undefined, person);
    return (key as { key: string }).key;
  }

  async function trade(key: string, productId: unknown): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const bought = await call('POST /api/v1/orders', key, { product_id: productId });
      if (typeof bought.order_id !== 'number') continue;
      const purchase = { key, id: bought.order_id, status: 'escrow' };
      purchases.push(purchase);
      const path = `/api/v1/orders/${purchase.id}`;
      await call(`GET /vault/${purchase.id}`, key);
      if (n % 2 === 0) {
        const { status } = await call(`POST ${path}/confirm`, key, {});
        if (typeof status === 'string') purchase.status = status;
      }
      if (n % 4 === 0) await validate(key);
      await call('GET /api/v1/wallet', key);
      await sleep(PAUSE_MS);
    }
  }

  async function validate(key: string): Promise<void> {
    const body = await call('POST /api/v1/email/validate', key, { emails: ADDRESSES });
    const results = (body.results ?? []) as { email: string }[];
    const isInOrder = String(results.map(({ email }) => email)) === String(ADDRESSES);
    if (isInOrder && body.charged === BATCH_COST) return;
    failures.push(`a batch of ${results.length} addresses cost ${String(body.charged)}`);
  }

  const seller = await register();
  const product = await call('POST /api/v1/products', seller, {
    title: 'Weather report',
    description: 'The weather of tomorrow.',
    category: 'api_service',
    price: 0.001,
    stock_kind: 'unlimited',
    content: 'sunny',
  });
  const buyers: string[] = [];
  for (let n = 0; n < count; n += 1) buyers.push(await register());
  const trading = buyers.map((key) => trade(key, product.product_id ?? product.id));

  return {
    failures,
    purchases,
    /** Resolves when this many further calls were answered. */
    async untilCalls(more: number): Promise<void> {
      for (const until = calls + more; calls < until;) await sleep(PAUSE_MS);
    },
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(trading);
    },
    /** The purchases of which this release says something else than its caller was told. */
    async differences(): Promise<readonly unknown[]> {
      const found = [];
      for (const { key, id, status } of purchases) {
        const order = await call(`GET /api/v1/orders/${id}`, key);
        if (order.status !== status) found.push({ id, status, is: order.status });
      }
      return found;
    },
  };
}
