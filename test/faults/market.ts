import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';

import { audit } from '../../shared/ledger/audit.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { eventually, type House, type Reply } from '../harness.ts';

/** A seller with a product that never runs out, and a buyer with money for it. */
export async function openMarket(house: House, { usd = 100, price = 0.01 } = {}) {
  const seller = await house.agent();
  const buyer = await house.agent({ usd });
  const product = await house.product(seller, { stock_kind: 'unlimited', content: 'It.', price });
  return { seller, buyer, product };
}
export type Market = Awaited<ReturnType<typeof openMarket>>;

/**
 * A purchase, at the house's own API or at another process's. Answers undefined where none came.
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
    return undefined; // The connection was refused or cut off.
  }
}

/** The same by a caller who asks again with its key for as long as the answer is pending. */
export async function buyPatiently(
  at: { url: string },
  market: Pick<Market, 'buyer' | 'product'>,
  { key = randomUUID() as string } = {},
) {
  let reply;
  do reply = await buy(at, market, { key });
  while (reply?.status === 202);
  return reply;
}

/** Callers who buy one after the other; the `answered` calls can be waited for meanwhile. */
export function load(
  at: { url: string },
  market: Pick<Market, 'buyer' | 'product'>,
  { callers, calls = Infinity }: { callers: number; calls?: number },
) {
  const replies: NonNullable<Awaited<ReturnType<typeof buy>>>[] = [];
  const statuses = new Set<number | undefined>();
  let asked = 0;
  const caller = async () => {
    while (asked < calls) {
      asked += 1;
      const key = randomUUID() as string;
      let reply;
      // Whoever hears nothing, or that it is not known, repeats the call with its key.
      do {
        reply = await buy(at, market, { key });
        statuses.add(reply?.status);
      } while (!reply || reply.status === 503);
      replies.push(reply);
    }
  };
  return {
    replies,
    /** All that was heard, what was repeated too. */
    statuses,
    stop: () => void (asked = Infinity),
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

/** The id of the purchase that was asked for, once it is recorded. */
export async function recorded(house: House): Promise<string> {
  const [row] = await eventually(
    () => house.query(`select id from job where operation = 'purchase_product'`),
    (rows) => rows.length === 1,
  );
  return row.id;
}

/**
 * Every accepted call has ended. What timers started may take longer: a refresh of the proxies that
 * was in the hands of a dead worker is begun again after a minute.
 */
export const settled = (house: House) =>
  eventually(
    () =>
      house.query(`select count(*)::int as n from job where status = 'pending' and agent_id <> 0`),
    ([{ n }]) => n === 0,
  );

/** What must hold after whatever happened: each purchase once, and the books right. */
export async function prove(house: House, purchases: number): Promise<void> {
  await settled(house);
  const [{ orders, holds, jobs }] = await house.query(
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
  expect(await audit(house.context.database)).to.deep.equal([]);
}

/** On a connection that waits for the answer, unlike the house's own, which gives up early. */
async function inRedis(house: House, act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = redisForWorkers(house.config.redisUrl, house.context.log);
  try {
    await act(redis);
  } finally {
    redis.disconnect();
  }
}

/** Redis loses everything of this house. */
export const forget = (house: House) =>
  inRedis(house, async (redis) => {
    const keys = await redis.keys(`${house.prefix}*`);
    if (keys.length > 0) await redis.del(keys);
  });

/** Hands these purchases on together, once, whatever their API made of them. */
export const handOn = (house: House, ids: readonly string[]) =>
  inRedis(house, async (connection) => {
    const queue = new Queue('orders', { connection, prefix: house.prefix });
    await queue.add('purchase_product', { ids });
    await queue.close();
  });

/** Redis loses the one batch that is handed on: it comes again alone, from a dispatcher. */
export async function loseBatch(house: House): Promise<void> {
  await eventually(
    () => house.context.queue.queueOf('orders').getWaitingCount(),
    (waiting) => waiting > 0,
  );
  await forget(house);
}

const BEAT_MS = 20;
/**
 * For limits of time on a machine that others use too. Answers what tells for how long, from now
 * until it is asked, nothing here had its turn.
 */
export function heldUp(): () => number {
  let [ms, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    ms += Math.max(0, now - last - 2 * BEAT_MS);
    last = now;
  };
  const beat = setInterval(look, BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    look();
    return ms;
  };
}

/** What a run measured, for the reader of its log. */
export const report = (what: string, ms: number) =>
  console.log(`      ${what}: ${Math.round(ms)} ms`);
