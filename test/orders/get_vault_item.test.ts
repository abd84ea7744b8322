import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, eventsOf, fallDue, meet, runTimer } from './trade.ts';
import { suspend } from '../suspend.ts';

describe('get_vault_item', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const open = (key: string | undefined, id: number | string, path = '/vault') =>
    platform.request(`GET ${path}/${id}`, { key });
  const openings = (id: number) =>
    platform.query(
      `select agent_id::int, first from opening where object_kind = 'order' and object_id = $1
        order by id`,
      [id],
    );

  it('delivers what was bought, marked as text of another party, and is not stored', async () => {
    const { buyer, product } = await meet(platform, { items: ['v1', 'v2', 'v3'], price: 1 });
    const id = await buy(platform, buyer, product, 2);
    for (const path of ['/vault', '/api/v1/vault']) {
      const { status, headers, body } = await open(buyer.key, id, path);
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(body).to.deep.equal({
        order_id: id,
        product_id: product.id,
        category: 'serial_key',
        items: [
          { untrusted: true, content: 'v1' },
          { untrusted: true, content: 'v2' },
        ],
      });
    }
  });

  it('delivers the content of the version that was bought, whatever was sold later', async () => {
    const fields = { stock_kind: 'unlimited', content: { host: 'a', port: 1 } };
    const { buyer, seller, product } = await meet(platform, fields);
    const id = await buy(platform, buyer, product);
    await platform.request(`PATCH /api/v1/products/${product.id}`, {
      key: seller.key,
      body: { content: 'another' },
    });
    const { body } = await open(buyer.key, id);
    expect(JSON.parse(body.items[0].content)).to.deep.equal({ host: 'a', port: 1 });
  });

  it('records twenty simultaneous openings, of which one is the first, told once a party', async () => {
    const { buyer, seller, product } = await meet(platform);
    const id = await buy(platform, buyer, product);
    const replies = await Promise.all(Array.from({ length: 20 }, () => open(buyer.key, id)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    const rows: { first: boolean }[] = await openings(id);
    expect(rows).to.have.length(20);
    expect(rows.filter(({ first }) => first)).to.have.length(1);
    for (const agent of [buyer, seller]) {
      const events = (await eventsOf(platform, agent)).filter((type) => type === 'order.revealed');
      expect(events).to.have.length(1);
    }
  });

  it('opens to an owner above the buyer, and says who opened', async () => {
    const { buyer, product } = await meet(platform);
    const child = await childOf(platform, buyer);
    const id = await buy(platform, child, product);
    expect((await open(buyer.key, id)).status).to.equal(200);
    expect(await openings(id)).to.deep.equal([{ agent_id: buyer.id, first: true }]);
  });

  it('stays open after the seller was paid, and to a suspended buyer', async () => {
    const { buyer, product } = await meet(platform, { items: ['s1'] });
    const id = await buy(platform, buyer, product);
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');
    await suspend(platform, buyer);
    expect((await open(buyer.key, id)).body.items[0].content).to.equal('s1');
  });

  it('answers a repeat with its key with what a new opening would', async () => {
    const { buyer, product } = await meet(platform, { items: ['once'] });
    const id = await buy(platform, buyer, product);
    const headers = { 'idempotency-key': 'vault-1' };
    const first = await platform.request(`GET /vault/${id}`, { key: buyer.key, headers });
    const again = await platform.request(`GET /vault/${id}`, { key: buyer.key, headers });
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    expect(first.body.items[0].content).to.equal('once');
  });

  it('refuses the seller, other agents and what is no order, and records no opening', async () => {
    const { buyer, seller, product } = await meet(platform);
    const id = await buy(platform, buyer, product);
    const otherAgent = await platform.agent();
    for (const [key, asked, status, code] of [
      [seller.key, id, 404, 'not_found'],
      [otherAgent.key, id, 404, 'not_found'],
      [buyer.key, 2 ** 31 - 1, 404, 'not_found'],
      [buyer.key, 'x', 422, 'validation_error'],
      [undefined, id, 401, 'authentication_required'],
      [await platform.keyOf(buyer, ['buy', 'sell']), id, 403, 'insufficient_scope'],
    ] as const) {
      const reply = await open(key, asked);
      expect([reply.status, reply.body.error]).to.deep.equal([status, code]);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
    }
    expect(await openings(id)).to.deep.equal([]);
    expect(await eventsOf(platform, seller)).not.to.include('order.revealed');
  });
});
