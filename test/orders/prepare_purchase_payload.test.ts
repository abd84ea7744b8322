import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { meet } from './trade.ts';
import { setPolicy } from '../policy.ts';

describe('prepare_purchase_payload', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const preview = (key: string | undefined, body: object) =>
    platform.request('POST /api/v1/orders/preview', { key, body });

  it('tells subtotal, a fee of 10 % and their sum, and takes no money', async () => {
    const { buyer, product } = await meet(platform, { price: 1.25, items: ['a1', 'a2'] });
    const { status, body } = await preview(buyer.key, { product_id: product.id, quantity: 2 });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      product_id: product.id,
      quantity: 2,
      unit_price: 1.25,
      subtotal: 2.5,
      fee: 0.25,
      total_due: 2.75,
      affordable: true,
      needs_approval: false,
      version: 1,
      held: false,
      not_held: 'units_limit',
    });
    expect(await platform.balance(buyer)).to.equal(5.5);
    expect(await platform.query('select 1 from orders')).to.deep.equal([]);
  });

  for (const [price, quantity, fee] of [
    [0.000001, 1, 0],
    [0.000005, 1, 0.000001],
    [0.000004, 1, 0],
    [0.333335, 1, 0.033334],
    [0.001, 1000, 0.1],
    [999_999.999999, 1, 100_000],
  ] as const) {
    it(`rounds half a micro-dollar of fee up: $${price} × ${quantity} costs a fee of $${fee}`, async () => {
      const fields = { price, stock_kind: 'unlimited', content: 'all' };
      const { buyer, product } = await meet(platform, fields);
      const { body } = await preview(buyer.key, { product_id: product.id, quantity });
      expect(body.fee).to.equal(fee);
      expect(Math.round(body.total_due * 1e6)).to.equal(Math.round((body.subtotal + fee) * 1e6));
    });
  }

  it('says when the wallet does not cover it', async () => {
    const { buyer, product } = await meet(platform, { usd: 0, price: 1 });
    const { status, body } = await preview(buyer.key, { product_id: product.id });
    expect([status, body.affordable]).to.deep.equal([200, false]);
    expect(body).not.to.have.property('policy_trace');
    // Enough for the subtotal, and then for the fee too.
    await platform.fund(buyer.id, 0.599999);
    expect((await preview(buyer.key, { product_id: product.id })).body.affordable).to.equal(false);
    await platform.fund(buyer.id, 0.000001);
    expect((await preview(buyer.key, { product_id: product.id })).body.affordable).to.equal(true);
  });

  it('says which policy forbids it, also one of an owner above, and what would pass', async () => {
    const { buyer, product } = await meet(platform, { price: 1 });
    const child = await childOf(platform, buyer);
    await setPolicy(platform, buyer, { max_spend_per_tx: 700000 });
    for (const { key } of [buyer, child]) {
      const { body } = await preview(key, { product_id: product.id });
      expect(body.affordable).to.equal(false);
      expect(body.policy_trace).to.include({
        rule: 'max_spend_per_tx',
        policy_of: buyer.id,
        limit: 0.7,
        asked: 1.1,
        largest_that_passes: 0.7,
      });
    }
  });

  it('names the first rule that is broken, of the nearest agent, and the least that would pass', async () => {
    const { buyer, product } = await meet(platform, { price: 1 });
    const child = await childOf(platform, buyer);
    const trace = async () =>
      (await preview(child.key, { product_id: product.id })).body.policy_trace;
    await setPolicy(platform, buyer, { max_spend_per_tx: 700_000 });
    await setPolicy(platform, child, { max_spend_per_tx: 800_000 });
    const rule = 'max_spend_per_tx';
    expect(await trace()).to.include({ rule, policy_of: child.id, largest_that_passes: 0.7 });
    await setPolicy(platform, child, { max_spend_per_tx: null, daily_spend_limit: 500_000 });
    expect(await trace()).to.include({ rule, policy_of: buyer.id, largest_that_passes: 0.5 });
  });

  it('takes what is spent today from what would pass, until the day ends', async () => {
    const { buyer, product } = await meet(platform, { price: 1 });
    const limits = { rule: 'daily_spend_limit', policy_of: buyer.id, limit: 1.5 };
    await setPolicy(platform, buyer, { daily_spend_limit: 1_500_000 });
    const spend = (amount: number, daysAgo = 0) =>
      platform.query(
        `update spend set amount = $2, day = (now() at time zone 'UTC')::date - $3::int
          where agent_id = $1`,
        [buyer.id, amount, daysAgo],
      );
    const look = async () => (await preview(buyer.key, { product_id: product.id })).body;
    await spend(600_000);
    const { policy_trace: trace } = await look();
    expect(trace).to.include({ ...limits, used: 0.6, asked: 1.1, largest_that_passes: 0.9 });
    expect(trace.resets_at).to.match(/T00:00:00\.000Z$/);
    expect(Date.parse(trace.resets_at) - Date.now()).to.be.within(-60_000, 24 * 3_600_000);
    await spend(2_000_000);
    expect((await look()).policy_trace).to.include({ ...limits, used: 2, largest_that_passes: 0 });
    await spend(2_000_000, 1);
    expect((await look()).affordable, 'another day').to.equal(true);
  });

  it('shows a child what its owner has', async () => {
    const { buyer, product } = await meet(platform, { usd: 5, price: 1 });
    const child = await childOf(platform, buyer);
    expect((await preview(child.key, { product_id: product.id })).body.affordable).to.equal(true);
  });

  it('refuses what a purchase would refuse, by the same code', async () => {
    const { buyer, seller, product } = await meet(platform, { price: 1 });
    const off = await platform.product(seller, { active: false });
    const child = await childOf(platform, seller);
    for (const [key, body, status, code] of [
      [undefined, { product_id: product.id }, 401, 'authentication_required'],
      [await platform.keyOf(buyer, ['buy']), {}, 403, 'insufficient_scope'],
      [buyer.key, {}, 422, 'validation_error'],
      [buyer.key, { product_id: product.id, quantity: 1001 }, 422, 'validation_error'],
      [buyer.key, { product_id: 2 ** 31 - 1 }, 404, 'not_found'],
      [buyer.key, { product_id: off.id }, 400, 'product_unavailable'],
      [seller.key, { product_id: product.id }, 400, 'self_purchase'],
      [child.key, { product_id: product.id }, 400, 'self_purchase'],
      [buyer.key, { product_id: product.id, quantity: 2 }, 400, 'out_of_stock'],
    ] as const) {
      const reply = await preview(key, body);
      expect([reply.status, reply.body.error], code).to.deep.equal([status, code]);
    }
  });
});
