import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { sceneOf } from './scene.ts';

describe('purchase_product', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { scene, buy } = sceneOf(() => platform);

  it('moves price plus 10 % into escrow, credit first, and delivers to the vault at once', async () => {
    const { buyer, product, seller } = await scene({ usd: 5, price: 1 });

    const { status, body } = await buy(buyer.key, { product_id: product.id });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      order_id: body.order_id,
      status: 'escrow',
      item_endpoint: `/vault/${body.order_id}`,
      product_id: product.id,
      quantity: 1,
      total_due: 1.1,
      release_at: body.release_at,
    });
    const { body: wallet } = await platform.request('GET /api/v1/wallet', { key: buyer.key });
    expect(wallet).to.include({
      balance: 4.4,
      cash: 4.4,
      credit: 0,
      in_escrow: 1.1,
      daily_spend: 1.1,
    });
    const vault = await platform.request(`GET ${body.item_endpoint}`, { key: buyer.key });
    expect(vault.body.items).to.deep.equal([{ untrusted: true, content: `KEY-${seller.id}-0` }]);
  });

  it('charges exactly what the preview said, for one unit and for several', async () => {
    const { buyer, product } = await scene({ usd: 50, price: 0.333335, items: 7 });
    for (const quantity of [1, 2, 3]) {
      const asked = { product_id: product.id, quantity };
      const preview = await platform.request('POST /api/v1/orders/preview', {
        key: buyer.key,
        body: asked,
      });
      const before = await platform.balance(buyer);
      const { body } = await buy(buyer.key, asked);
      expect(body.total_due).to.equal(preview.body.total_due);
      expect(await platform.balance(buyer)).to.be.closeTo(before - body.total_due, 1e-9);
    }
  });

  it('delivers each unit of a serial pool once and several units to one order', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 3 });
    const first = await buy(buyer.key, { product_id: product.id, quantity: 2 });
    const second = await buy(buyer.key, { product_id: product.id });
    const vaults = await Promise.all(
      [first, second].map(({ body }) =>
        platform.request(`GET /vault/${body.order_id}`, { key: buyer.key }),
      ),
    );
    const items = vaults.flatMap(({ body }) =>
      body.items.map((item: { content: string }) => item.content),
    );
    expect(new Set(items).size).to.equal(3);
    expect(vaults[0]!.body.items).to.have.length(2);
  });

  it('counts a counted product down and sells an unlimited one without end', async () => {
    const counted = await scene({
      stock_kind: 'counted',
      quantity: 3,
      content: 'licence',
      price: 0.01,
    });
    const bought = await buy(counted.buyer.key, { product_id: counted.product.id, quantity: 2 });
    expect(bought.status).to.equal(200);
    const tooMany = await buy(counted.buyer.key, { product_id: counted.product.id, quantity: 2 });
    expect(tooMany.body.error).to.equal('out_of_stock');

    const endless = await scene({ stock_kind: 'unlimited', content: 'open', price: 0.01 });
    const many = await buy(endless.buyer.key, { product_id: endless.product.id, quantity: 100 });
    expect(many.status).to.equal(200);
    const vault = await platform.request(`GET /vault/${many.body.order_id}`, {
      key: endless.buyer.key,
    });
    expect(vault.body.items).to.deep.equal([{ untrusted: true, content: 'open' }]);
  });

  for (const [code, expected, context, change] of [
    ['insufficient_balance', 402, { usd: 0 }, {}],
    ['out_of_stock', 400, {}, { quantity: 2 }],
    ['out_of_stock', 400, { usd: 0 }, { quantity: 1000 }],
    ['product_unavailable', 400, { active: false }, {}],
    ['validation_error', 422, {}, { product_id: 'one' }],
    ['validation_error', 422, {}, { quantity: 0 }],
    ['validation_error', 422, {}, { quantity: 1001 }],
    ['validation_error', 422, {}, { funds: 'red' }],
    ['not_found', 404, {}, { product_id: 2 ** 31 - 1 }],
  ] as const) {
    it(`refuses with ${code} and leaves the wallet alone: ${JSON.stringify([context, change])}`, async () => {
      const { buyer, product } = await scene(context);
      const before = await platform.balance(buyer);

      const { status, body } = await buy(buyer.key, { product_id: product.id, ...change });

      expect([status, body.error]).to.deep.equal([expected, code]);
      expect(body).to.include.keys('message', 'details', 'retryable', 'next_actions', 'request_id');
      expect(await platform.balance(buyer)).to.equal(before);
    });
  }

  it('sells on a repeat with the same key once there is stock again, and once only', async () => {
    const { buyer, seller, product } = await scene({ usd: 5 });
    const headers = { 'idempotency-key': 'when-in-stock' };
    const order = () => {
      const body = { product_id: product.id, quantity: 2 };
      return platform.request('POST /api/v1/orders', { key: buyer.key, headers, body });
    };
    const refused = await order();
    expect([refused.status, refused.body.retryable]).to.deep.equal([400, true]);

    const route = `POST /api/v1/products/${product.id}/stock`;
    await platform.request(route, { key: seller.key, body: { items: ['one more'] } });
    const bought = await order();
    expect([bought.status, bought.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    const repeated = await order();
    expect(repeated.text).to.equal(bought.text);
    expect(repeated.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(buyer)).to.equal(3.3);
  });

  it('refuses to sell to the seller and to agents of its tree', async () => {
    const { seller, product } = await scene();
    const { status, body } = await buy(seller.key, { product_id: product.id });
    expect([status, body.error]).to.deep.equal([400, 'self_purchase']);
    const child = await childOf(platform, seller);
    const theirs = await buy(child.key, { product_id: product.id });
    expect([theirs.status, theirs.body.error]).to.deep.equal([400, 'self_purchase']);
  });

  it('refuses an unapproved product', async () => {
    const { buyer, product } = await scene();
    await platform.query(`update product set status = 'suspended' where id = $1`, [product.id]);
    const { status, body } = await buy(buyer.key, { product_id: product.id });
    expect([status, body.error]).to.deep.equal([400, 'product_unavailable']);
  });
});
