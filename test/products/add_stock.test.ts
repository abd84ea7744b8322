import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { suspend } from '../suspend.ts';

describe('add_stock', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const add = (key: string, id: number, body: object) =>
    platform.request(`POST /api/v1/products/${id}/stock`, { key, body });
  const counted = { stock_kind: 'counted', content: 'The text.', quantity: 1 };

  it('puts up more units of a pool, each of which can be bought', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 10 });
    const [first, second] = [randomUUID(), randomUUID()];
    const { id } = await platform.product(seller, { items: [first] });

    const { status, body } = await add(seller.key, id, { items: [second] });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      product_id: id,
      stock_kind: 'serial_pool',
      available: 2,
      reserved: 0,
      sold: 0,
      listed: 2,
    });
    const order = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: id, quantity: 2 },
    });
    const vault = await platform.request(`GET ${order.body.item_endpoint}`, { key: buyer.key });
    expect(vault.body.items.map(({ content }: { content: string }) => content)).to.have.members([
      first,
      second,
    ]);
  });

  it('adds to what is left of a counted product, also while others add', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, counted);
    await Promise.all([10, 20, 30, 40].map((quantity) => add(seller.key, id, { quantity })));
    const { body } = await platform.request(`GET /api/v1/products/${id}/stock`, {
      key: seller.key,
    });
    expect(body).to.include({ available: 101, listed: 101, sold: 0 });
  });

  it('refuses a secret that was put up before, for this product or another, and adds nothing', async () => {
    const seller = await platform.agent();
    const [known, elsewhere] = [randomUUID(), randomUUID()];
    const { id } = await platform.product(seller, { items: [known] });
    await platform.product(seller, { items: [elsewhere] });
    for (const old of [known, elsewhere]) {
      const refused = await add(seller.key, id, { items: [randomUUID(), old] });
      expect(refused.status).to.equal(422);
      expect(refused.body.details.fields[0].pointer).to.equal('/items/1');
    }
    const twice = await add(seller.key, id, { items: ['x', 'x'] });
    expect(twice.body.details.fields[0].pointer).to.equal('/items/1');
    const { body } = await platform.request(`GET /api/v1/products/${id}/stock`, {
      key: seller.key,
    });
    expect(body).to.include({ available: 1, listed: 1 });
  });

  it('puts a secret up once when many calls bring it at the same time', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    const items = Array.from({ length: 10 }, () => randomUUID());
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => add(seller.key, id, { items })),
    );
    expect(replies.map(({ status }) => status)).to.have.members([200, ...Array(5).fill(422)]);
  });

  it('refuses what is not for the kind of stock', async () => {
    const seller = await platform.agent();
    const pool = await platform.product(seller);
    const some = await platform.product(seller, counted);
    const any = await platform.product(seller, { stock_kind: 'unlimited', content: 'The text.' });
    const pointers = async (id: number, body: object) => {
      const reply = await add(seller.key, id, body);
      expect(reply.status, reply.text).to.equal(422);
      return reply.body.details.fields.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers(pool.id, { quantity: 1 })).to.deep.equal(['/items', '/quantity']);
    expect(await pointers(pool.id, {})).to.deep.equal(['/items']);
    expect(await pointers(some.id, { items: ['x'] })).to.deep.equal(['/items', '/quantity']);
    expect(await pointers(some.id, { quantity: 0 })).to.deep.equal(['/quantity']);
    expect(await pointers(any.id, { quantity: 1 })).to.deep.equal(['/quantity']);
    expect(await pointers(any.id, {})).to.deep.equal(['']);
  });

  it('refuses more units than can be kept', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, counted);
    const most = 1_000_000_000;
    const set = 'update product set (listed, quantity) = ($2, $2) where id = $1';
    await platform.query(set, [id, most - 5]);
    expect((await add(seller.key, id, { quantity: 6 })).status).to.equal(422);
    expect((await add(seller.key, id, { quantity: 5 })).status).to.equal(200);
  });

  it('refuses archived products, other sellers, suspended agents and keys without sell', async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const { id } = await platform.product(seller, counted);
    const codes = async (key: string) => {
      const { status, body } = await add(key, id, { quantity: 1 });
      return [status, body.error];
    };
    expect(await codes(await platform.keyOf(seller, ['read', 'buy']))).to.deep.equal([
      403,
      'insufficient_scope',
    ]);
    expect(await codes(otherAgent.key)).to.deep.equal([403, 'forbidden']);

    await platform.request(`PATCH /api/v1/products/${id}`, {
      key: seller.key,
      body: { status: 'archived' },
    });
    expect(await codes(seller.key)).to.deep.equal([409, 'invalid_transition']);
    expect(await codes(otherAgent.key)).to.deep.equal([404, 'not_found']);

    const other = await platform.product(otherAgent, counted);
    await suspend(platform, otherAgent);
    const refused = await add(otherAgent.key, other.id, { quantity: 1 });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'agent_suspended']);
  });
});
