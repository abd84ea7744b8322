import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/ledger/audit.ts';
import { eventually, type House, type Reply } from '../harness.ts';

/** A seller with a product that never runs out, and a buyer with money for it. */
export async function openMarket(house: House, { usd = 100, price = 0.01 } = {}) {
  const seller = await house.agent();
  const buyer = await house.agent({ usd });
  const product = await house.product(seller, { stock_kind: 'unlimited', content: 'It.', price });
  return { seller, buyer, product };
}
export type Market = Awaited<ReturnType<typeof openMarket>>;

/** A purchase, at the house's own API or at another process's. Answers undefined where none came. */
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

/** Every accepted job has ended. */
export const settled = (house: House) =>
  eventually(
    () => house.query(`select count(*)::int as n from job where status = 'pending'`),
    ([{ n }]) => n === 0,
  );

/** What must hold after whatever happened: each purchase once, and the books right. */
export async function prove(house: House, purchases: number): Promise<void> {
  await settled(house);
  const [{ orders, holds, jobs }] = await house.query(
    `select (select count(*)::int from orders) as orders,
            (select count(*)::int from ledger.entry where kind = 'order.hold') as holds,
            (select count(*)::int from job
              where operation = 'purchase_product' and status = 'complete') as jobs`,
  );
  expect({ orders, holds, jobs }).to.deep.equal({
    orders: purchases,
    holds: purchases,
    jobs: purchases,
  });
  expect(await audit(house.world.database)).to.deep.equal([]);
}

/** Redis loses everything of this house. */
export async function forget({ prefix, world }: House): Promise<void> {
  await world.queue.redis.del(await world.queue.redis.keys(`${prefix}*`));
}
