import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';

import { audit } from '../../shared/composition/audit.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { eventually, type TestPlatform, type Reply } from '../harness.ts';

/** A seller with a product that never runs out, and a buyer with money for it. */
export async function openMarket(platform: TestPlatform, { usd = 100, price = 0.01 } = {}) {
  const seller = await platform.agent();
  const buyer = await platform.agent({ usd });
  const product = await platform.product(seller, {
    stock_kind: 'unlimited',
    content: 'It.',
    price,
  });
  return { seller, buyer, product };
}
export type Market = Awaited<ReturnType<typeof openMarket>>;

/**
 * A purchase, at the API of the platform or of a child process. Undefined if no answer arrived.
 */
export async function buy(
  { url }: { url: string },
  { buyer, product }: Pick<Market, 'buyer' | 'product'>,
  { key = randomUUID() as string, wait = 25, quantity = 1 } = {},
): Promise<(Reply & { key: string; ms: number }) | undefined> {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${url}/api/v1/orders?wait=${wait}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${buyer.key}`,
        'idempotency-key': key,
      },
      body: JSON.stringify({ product_id: product.id, quantity }),
    });
    const text = await response.text();
    const { status, headers } = response;
    const ms = performance.now() - startedAt;
    return { status, headers, text, body: JSON.parse(text), key, ms };
  } catch {
    return undefined; // The connection was refused or reset.
  }
}

/**
 * A purchase by a caller that repeats the call with its key as long as the answer is pending, and
 * where it knows none: a slow machine may refuse a call that a thousand others are ahead of.
 */
export async function buyUntilDone(
  api: { url: string },
  market: Pick<Market, 'buyer' | 'product'>,
  { key = randomUUID() as string } = {},
) {
  let reply;
  do reply = await buy(api, market, { key });
  while (!reply || reply.status === 202 || reply.status === 503);
  return reply;
}

/**
 * Callers that each make one purchase after the other; `answered` waits for a number of answers.
 */
export function startLoad(
  api: { url: string },
  market: Pick<Market, 'buyer' | 'product'>,
  { callers, calls = Infinity }: { callers: number; calls?: number },
) {
  const replies: NonNullable<Awaited<ReturnType<typeof buy>>>[] = [];
  const statuses = new Set<number | undefined>();
  const spans: { from: number; to: number }[] = [];
  let started = 0;
  const caller = async () => {
    while (started < calls) {
      started += 1;
      const key = randomUUID() as string;
      const from = Date.now();
      let reply;
      // A caller without an answer, or with 503 (the outcome is unknown), repeats the call and key.
      do {
        reply = await buy(api, market, { key });
        statuses.add(reply?.status);
      } while (!reply || reply.status === 503);
      replies.push(reply);
      spans.push({ from, to: Date.now() });
    }
  };
  return {
    replies,
    /** Every status that came, of repeated calls too. */
    statuses,
    /** When each call that has its reply was made first, and when that came, by Date.now(). */
    spans,
    stop: () => void (started = Infinity),
    done: Promise.all(Array.from({ length: callers }, caller)).then(() => replies),
    answered: (n: number) =>
      eventually(
        async () => replies.length,
        (length) => length >= n,
      ),
  };
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * p) / 100) - 1] ?? 0;
}

/** Waits until the one purchase is recorded. Answers its job's id. */
export async function recordedJobId(platform: TestPlatform): Promise<string> {
  const [row] = await eventually(
    () => platform.query(`select id from job where operation = 'purchase_product'`),
    (rows) => rows.length === 1,
  );
  return row.id;
}

/**
 * Waits until every accepted call has ended. What timers started may take longer: a refresh of the
 * proxies whose worker died starts once more after a minute.
 */
export const untilSettled = (platform: TestPlatform) =>
  eventually(
    () =>
      platform.query(
        `select count(*)::int as n from job where status = 'pending' and agent_id <> 0`,
      ),
    ([{ n }]) => n === 0,
  );

/** Expects what holds after every fault: each purchase happened once, the audit finds nothing. */
export async function expectConsistent(platform: TestPlatform, purchases: number): Promise<void> {
  await untilSettled(platform);
  const [{ orders, holds, jobs }] = await platform.query(
    `select (select count(*)::int from orders) as orders,
            (select count(*)::int from ledger.transfer where kind = 'order.hold') as holds,
            (select count(*)::int from job
              where operation = 'purchase_product' and status = 'complete') as jobs`,
  );
  expect({ orders, holds, jobs }).to.deep.equal({
    orders: purchases,
    holds: purchases,
    jobs: purchases,
  });
  expect(await audit(platform.context.database)).to.deep.equal([]);
}

/** On a connection that waits for the answer; the platform's own fails fast. */
async function inRedis(
  platform: TestPlatform,
  act: (redis: Redis) => Promise<unknown>,
): Promise<void> {
  const redis = redisForWorkers(platform.config.redisUrl, platform.context.log);
  try {
    await act(redis);
  } finally {
    redis.disconnect();
  }
}

/** Deletes every key of this platform in Redis. */
export const clearRedis = (platform: TestPlatform) =>
  inRedis(platform, async (redis) => {
    const keys = await redis.keys(`${platform.prefix}*`);
    if (keys.length > 0) await redis.del(keys);
  });

/** Redis loses what was queued, and no dispatcher sees that Redis is new: it forgets no push. */
export async function loseQueued(platform: TestPlatform): Promise<void> {
  await clearRedis(platform);
  await platform.context.queue.redis.set(`${platform.prefix}:epoch`, Date.now());
}

/** Queues these purchases as one batch, whatever their API did with them. */
export const enqueueBatch = (platform: TestPlatform, ids: readonly string[]) =>
  inRedis(platform, async (connection) => {
    const queue = new Queue('money', { connection, prefix: platform.prefix });
    await queue.add('purchase_product', { ids });
    await queue.close();
  });

/** Redis loses the one queued batch; its job is pushed alone by a dispatcher later. */
export async function loseBatch(platform: TestPlatform): Promise<void> {
  await eventually(
    () => platform.context.queue.queueOf('money').getWaitingCount(),
    (waiting) => waiting > 0,
  );
  // Not for the first time: then it would be pushed as a batch.
  await platform.query(`update job set push_after = now() where operation = 'purchase_product'`);
  await loseQueued(platform);
}

/** Prints a measurement into the output of the tests. */
export const logMeasurement = (what: string, ms: number) =>
  console.log(`      ${what}: ${Math.round(ms)} ms`);
