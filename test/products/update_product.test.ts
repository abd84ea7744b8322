import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';

describe('update_product', () => {
  let platform: TestPlatform;
  /** A marketplace where an operator has to approve products. */
  let strict: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    strict = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' }, workers: false });
  });
  after(async () => {
    for (const one of [platform, strict]) {
      expect(await audit(one.context.database)).to.deep.equal([]);
      await one.close();
    }
  });

  const text = (content = 'The text.') => ({ stock_kind: 'unlimited', content });
  const update = (key: string, id: number, body: object, where = platform) =>
    where.request(`PATCH /api/v1/products/${id}`, { key, body });
  const review = (id: number, decision: string) =>
    strict.request(`POST /api/v1/admin/products/${id}/review`, {
      key: 'operator-token-of-the-tests',
      body: { decision, note: 'The reason.' },
    });

  async function bought(buyer: { key: string }, id: number) {
    const order = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: id },
    });
    const vault = await platform.request(`GET ${order.body.item_endpoint}`, { key: buyer.key });
    return { total: order.body.total_due, content: vault.body.items?.[0].content };
  }

  it('changes what is given and leaves the rest', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, text());
    const { status, body } = await update(seller.key, id, {
      description: 'Something else.',
      release_hours: 1,
      active: false,
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      product_id: id,
      title: 'A serial key',
      description: { untrusted: true, content: 'Something else.' },
      price: 1,
      release_hours: 1,
      active: false,
      version: 2,
      status: 'approved',
    });
  });

  it('makes a new version of what is said, asked or delivered, and of nothing else', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, text());
    const version = async (body: object) => (await update(seller.key, id, body)).body.version;
    expect(await version({ price: 2 })).to.equal(2);
    expect(await version({ price: 2, title: 'A serial key' })).to.equal(2);
    expect(await version({ content: 'New text.' })).to.equal(3);
    expect(await version({ title: 'Another title' })).to.equal(4);
    expect(await version({ description: 'Other words.' })).to.equal(5);
    expect(await version({ active: false, release_hours: 5 })).to.equal(5);
  });

  it('delivers to each buyer the version that they bought, whatever is changed later', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 20 });
    const { id } = await platform.product(seller, text('first'));
    const { body: order } = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: id },
    });
    await update(seller.key, id, { price: 2 });
    expect(await bought(buyer, id)).to.deep.equal({ total: 2.2, content: 'first' });
    await update(seller.key, id, { content: { second: true } });
    expect(await bought(buyer, id)).to.deep.equal({ total: 2.2, content: '{"second":true}' });
    await update(seller.key, id, { price: 3 });
    expect(await bought(buyer, id)).to.deep.equal({ total: 3.3, content: '{"second":true}' });

    const vault = await platform.request(`GET ${order.item_endpoint}`, { key: buyer.key });
    expect(vault.body.items).to.deep.equal([{ untrusted: true, content: 'first' }]);
  });

  it('stores the content once, however often something else is changed', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 20 });
    const { id } = await platform.product(seller, text('one text'));
    for (const price of [2, 3, 4]) await update(seller.key, id, { price });
    const [{ versions, contents }] = await platform.query(
      `select count(*)::int as versions, count(content)::int as contents
         from product_version where product_id = $1`,
      [id],
    );
    expect([versions, contents]).to.deep.equal([4, 1]);
    expect(await bought(buyer, id)).to.deep.equal({ total: 4.4, content: 'one text' });
  });

  it('sells a pool at its new price without touching its secrets', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 20 });
    const secret = randomUUID();
    const { id } = await platform.product(seller, { items: [secret] });
    await update(seller.key, id, { price: 3 });
    expect(await bought(buyer, id)).to.deep.equal({ total: 3.3, content: secret });
  });

  it('counts every change when several are made at the same time', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, text());
    const prices = [2, 3, 4, 5, 6];
    const replies = await Promise.all(prices.map((price) => update(seller.key, id, { price })));
    const versions = replies.map(({ body }) => body.version);
    expect(versions).to.have.members([2, 3, 4, 5, 6]);
  });

  it('sends new words or content of an approved product back to review, not a new price', async () => {
    const seller = await strict.agent();
    for (const change of [{ title: 'New' }, { description: 'New.' }, { content: 'New.' }]) {
      const { id } = await strict.product(seller, text());
      await review(id, 'approve');
      const priced = await update(seller.key, id, { price: 9, active: true }, strict);
      expect(priced.body.status).to.equal('approved');
      const changed = await update(seller.key, id, change, strict);
      expect(changed.body).to.include({ status: 'pending_review', review_note: null });
    }
  });

  it('submits a rejected product again, and leaves a suspended one suspended', async () => {
    const seller = await strict.agent();
    const { id } = await strict.product(seller, text());
    await review(id, 'reject');
    const idle = await update(seller.key, id, { active: true }, strict);
    expect(idle.body).to.include({ status: 'rejected', review_note: 'The reason.' });
    const edited = await update(seller.key, id, { price: 2 }, strict);
    expect(edited.body.status).to.equal('pending_review');

    await review(id, 'approve');
    await review(id, 'suspend');
    const suspended = await update(seller.key, id, { title: 'New', content: 'New.' }, strict);
    expect(suspended.body.status).to.equal('suspended');
  });

  it('archives for good', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, text());
    expect((await update(seller.key, id, { status: 'archived' })).body.status).to.equal('archived');
    for (const change of [{ price: 2 }, { active: true }, { status: 'archived' }]) {
      const refused = await update(seller.key, id, change);
      expect(refused.status).to.equal(409);
      expect(refused.body.error).to.equal('invalid_transition');
    }
    const otherAgent = await platform.agent();
    const seen = await platform.request(`GET /api/v1/products/${id}`, { key: otherAgent.key });
    expect(seen.status).to.equal(404);
  });

  it("refuses others: forbidden for what they can see, not_found for what they can't", async () => {
    const [seller, otherAgent] = [await platform.agent(), await platform.agent()];
    const { id } = await platform.product(seller, text());
    const visible = await update(otherAgent.key, id, { price: 2 });
    expect([visible.status, visible.body.error]).to.deep.equal([403, 'forbidden']);
    await update(seller.key, id, { active: false });
    const hidden = await update(otherAgent.key, id, { price: 2 });
    expect([hidden.status, hidden.body.error]).to.deep.equal([404, 'not_found']);
    const none = await update(otherAgent.key, 2_000_000_000, { price: 2 });
    expect(none.body.message).to.equal(hidden.body.message);
  });

  it('refuses a change of nothing, of content of a pool, and of what cannot be changed', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    const pointers = async (body: object) => {
      const reply = await update(seller.key, id, body);
      expect(reply.status, reply.text).to.equal(422);
      return reply.body.details.fields.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers({})).to.deep.equal(['']);
    expect(await pointers({ content: 'x' })).to.deep.equal(['/content']);
    expect(await pointers({ title: '\u200b' })).to.deep.equal(['/title']);
    expect(await pointers({ status: 'approved' })).to.deep.equal(['/status']);
    expect(await pointers({ stock_kind: 'unlimited' })).to.deep.equal(['/stock_kind']);
    expect(await pointers({ price: 0 })).to.include('/price');
  });

  it('refuses a key without sell', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    const { body } = await update(await platform.keyOf(seller, ['read']), id, { price: 2 });
    expect(body.error).to.equal('insufficient_scope');
  });
});
