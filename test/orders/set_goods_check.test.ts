import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { offer } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { openDeal } from './deal.ts';

const SCHEMA = { type: 'object', required: ['login', 'password'] };

describe('settings of checks of goods', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = (key: string, productId: number, body: object) =>
    platform.request(`PUT /api/v1/orders/goods-checks/${productId}`, { key, body });
  const listed = async (key: string) =>
    (await platform.request('GET /api/v1/orders/goods-checks', { key })).body;

  it('keep what a call leaves out, and end', async () => {
    const { seller, buyer, productId } = await openDeal(platform);
    expect(await listed(buyer.key)).to.deep.include({ goods_checks: [], count: 0 });
    const made = await set(buyer.key, productId, { enabled: true, pattern: 'KEY' });
    expect(made.body.goods_check).to.deep.include({
      product_id: productId,
      json_schema: null,
      pattern: { untrusted: true, content: 'KEY' },
      amount_max: 1,
      hours: 0,
    });
    await set(buyer.key, productId, { enabled: true, hours: 3 });
    const changed = await set(buyer.key, productId, { enabled: true, json_schema: SCHEMA });
    expect(changed.body.goods_check).to.deep.include({ pattern: null, amount_max: 1, hours: 3 });
    expect((await listed(buyer.key)).goods_checks).to.deep.equal([changed.body.goods_check]);
    expect((await listed(seller.key)).count).to.equal(0);
    const ended = await set(buyer.key, productId, { enabled: false });
    expect(ended.body).to.deep.equal({ product_id: productId, goods_check: null });
    expect((await listed(buyer.key)).count).to.equal(0);
  });

  it('are refused where they could judge nothing', async () => {
    const { buyer, productId } = await openDeal(platform);
    const child = await childOf(platform, buyer);
    const refuse = async (body: object, code: string, at?: string) => {
      const reply = await set(buyer.key, productId, { enabled: true, ...body });
      expect(reply.body.error, reply.text).to.equal(code);
      if (at) expect(reply.body.details.fields[0].pointer).to.equal(at);
    };
    await refuse({}, 'validation_error', '/json_schema');
    await refuse({ pattern: 'a', json_schema: SCHEMA }, 'validation_error', '/pattern');
    await refuse({ pattern: '(' }, 'validation_error', '/pattern');
    await refuse({ json_schema: { type: 'nothing' } }, 'validation_error');
    await refuse({ pattern: 'a', hours: 73 }, 'validation_error', '/hours');
    const missing = await set(buyer.key, 999_999_999, { enabled: true, pattern: 'a' });
    expect(missing.body.error).to.equal('not_found');
    const { product_id: ofDataset } = await offer(platform, await platform.agent(), { price: 1 });
    const data = await set(buyer.key, ofDataset, { enabled: true, pattern: 'a' });
    expect(data.body.error).to.equal('invalid_transition');
    const below = await set(child.key, productId, { enabled: true, pattern: 'a' });
    expect(below.body.error).to.equal('forbidden');
  });

  it('are a hundred of a tree at most, also of two calls at once', async () => {
    const [seller, many] = await Promise.all([platform.agent(), platform.agent()]);
    const products = await Promise.all(
      Array.from({ length: 101 }, () => platform.product(seller, { items: [randomUUID()] })),
    );
    const [productId, second] = products.map(({ id }) => id);
    await platform.query(
      `insert into goods_check (root_id, product_id, judged_by, amount_max, hours)
       select $1, id, '{"json_schema": {}}', 1, 1 from unnest($2::bigint[]) id`,
      [many.id, products.slice(2).map(({ id }) => id)],
    );
    const both = await Promise.all(
      [productId!, second!].map((id) => set(many.key, id, { enabled: true, pattern: 'a' })),
    );
    expect(both.map(({ status }) => status)).to.have.members([200, 403]);
    expect((await listed(many.key)).count).to.equal(100);
  });
});
