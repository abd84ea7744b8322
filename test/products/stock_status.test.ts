import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

describe('stock_status', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const look = (key: string, id: number) =>
    platform.request(`GET /api/v1/products/${id}/stock`, { key });
  const buy = (buyer: { key: string }, id: number, quantity: number) =>
    platform.request('POST /api/v1/orders', { key: buyer.key, body: { product_id: id, quantity } });

  it('counts what is available and what is sold, for every kind of stock', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 50 });
    const pool = await platform.product(seller, {
      items: [randomUUID(), randomUUID(), randomUUID()],
    });
    const text = { content: 'The text.' };
    const some = await platform.product(seller, { stock_kind: 'counted', quantity: 5, ...text });
    const any = await platform.product(seller, { stock_kind: 'unlimited', ...text });
    for (const { id } of [pool, some, any]) await buy(buyer, id, 2);

    const counts = async (id: number) => (await look(seller.key, id)).body;
    expect(await counts(pool.id)).to.deep.equal({
      product_id: pool.id,
      stock_kind: 'serial_pool',
      available: 1,
      reserved: 0,
      sold: 2,
      listed: 3,
    });
    expect(await counts(some.id)).to.include({ available: 3, sold: 2, listed: 5 });
    const inStock = async (id: number) =>
      (await platform.request(`GET /api/v1/products/${id}`, { key: buyer.key })).body.in_stock;
    expect([await inStock(pool.id), await inStock(some.id)]).to.deep.equal([1, 3]);
    expect(await counts(any.id)).to.include({ available: null, sold: null, listed: null });
  });

  it('counts on where a listing stops at 1000', async () => {
    const seller = await platform.agent();
    const items = (n: number) => Array.from({ length: n }, () => randomUUID());
    const { id } = await platform.product(seller, { items: items(1000) });
    await platform.request(`POST /api/v1/products/${id}/stock`, {
      key: seller.key,
      body: { items: items(5) },
    });
    expect((await look(seller.key, id)).body.available).to.equal(1005);
    const seen = await platform.request(`GET /api/v1/products/${id}`, { key: seller.key });
    expect(seen.body.in_stock).to.equal(1000);
  });

  it('is for the seller alone', async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const { id } = await platform.product(seller);
    const codes = async (key: string) => {
      const { status, body } = await look(key, id);
      return [status, body.error];
    };
    expect(await codes(otherAgent.key)).to.deep.equal([403, 'forbidden']);
    expect(await codes(await platform.keyOf(seller, ['read']))).to.deep.equal([
      403,
      'insufficient_scope',
    ]);
    await platform.request(`PATCH /api/v1/products/${id}`, {
      key: seller.key,
      body: { active: false },
    });
    expect(await codes(otherAgent.key)).to.deep.equal([404, 'not_found']);
    expect((await look(seller.key, 2_000_000_000)).status).to.equal(404);
  });
});
