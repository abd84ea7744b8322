import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('a field in two places of a request', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  it('is refused if they differ, with nothing bought', async () => {
    const seller = await platform.agent();
    const { id: product_id } = await platform.product(seller);
    const buyer = await platform.agent({ usd: 5 });
    const buy = (query: string, body: object) =>
      platform.request(`POST /api/v1/orders${query}`, { key: buyer.key, body });

    const { status, body } = await buy('?product_id=3', { product_id, quantity: 1 });
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    expect(body.details.fields).to.deep.equal([
      { pointer: '/product_id', message: 'differs in the query and in the body' },
    ]);
    expect(await platform.balance(buyer)).to.equal(5.5);
    expect((await buy(`?product_id=${product_id}`, { product_id })).status).to.equal(200);
  });

  it('is refused if the path differs from the rest, with nothing confirmed', async () => {
    const { buyer, orders } = await twoOrders(platform);
    const [first, second] = orders;
    const confirm = (query: string, body: object) =>
      platform.request(`POST /api/v1/orders/${first}/confirm${query}`, { key: buyer.key, body });
    for (const [query, body, place] of [
      [`?order_id=${second}`, {}, 'query'],
      ['', { order_id: second }, 'body'],
    ] as const) {
      const reply = await confirm(query, body);
      expect(reply.status, place).to.equal(422);
      expect(reply.body.details.fields).to.deep.equal([
        { pointer: '/order_id', message: `differs in the path and in the ${place}` },
      ]);
    }
    const opened = await platform.request(`GET /vault/${first}?order_id=${second}`, buyer);
    expect(opened.status).to.equal(422);
    const statuses = await platform.query(`select status from orders where id = any ($1)`, [
      orders,
    ]);
    expect(statuses).to.deep.equal([{ status: 'escrow' }, { status: 'escrow' }]);
    expect((await confirm(`?order_id=0${first}`, { order_id: first })).status).to.equal(200);
  });
});

async function twoOrders(platform: TestPlatform) {
  const seller = await platform.agent();
  const buyer = await platform.agent({ usd: 5 });
  const orders: number[] = [];
  for (let n = 0; n < 2; n++) {
    const { id: product_id } = await platform.product(seller);
    const bought = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id },
    });
    expect(bought.status).to.equal(200);
    orders.push(bought.body.order_id);
  }
  return { buyer, orders };
}
