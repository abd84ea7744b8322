import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { act, openDeal } from './deal.ts';
import { buy } from './trade.ts';

describe('confirm_orders', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const confirm = (key: string, ids: readonly number[], idempotencyKey?: string) =>
    platform.request('POST /api/v1/orders/confirm', {
      key,
      body: { order_ids: ids },
      ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  const statusesOf = async (ids: readonly number[]) =>
    (await platform.query('select status from orders where id = any ($1) order by id', [ids])).map(
      ({ status }: { status: string }) => status,
    );
  const balanceOf = (agent: { key: string }) => platform.balance(agent);

  it('pays the seller of each order once, also by a repeat', async () => {
    const { seller, buyer, productId, orderId } = await openDeal(platform, { units: 1, usd: 9 });
    await platform.request(`POST /api/v1/products/${productId}/stock`, {
      key: seller.key,
      body: { items: ['b', 'c'] },
    });
    const ids = [orderId, await buy(platform, buyer, { id: productId })];
    ids.push(await buy(platform, buyer, { id: productId }));
    const before = await balanceOf(seller);
    const first = await confirm(buyer.key, ids, 'all-of-today');
    expect(first.body).to.deep.equal({ order_ids: ids, count: 3 });
    expect((await confirm(buyer.key, ids, 'all-of-today')).body).to.deep.equal(first.body);
    expect(await balanceOf(seller)).to.equal(before + 3);
    expect(await statusesOf(ids)).to.deep.equal(['completed', 'completed', 'completed']);
    expect((await confirm(buyer.key, ids)).body.error).to.equal('invalid_transition');
    expect(await balanceOf(seller)).to.equal(before + 3);
  });

  it('confirms what agents below have bought', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const { productId } = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const ids = [
      await buy(platform, child, { id: productId }),
      await buy(platform, owner, { id: productId }),
    ];
    expect((await confirm(owner.key, ids)).status).to.equal(200);
  });

  for (const [what, spoil, error] of [
    ['is disputed', 'dispute_order', 'invalid_transition'],
    ['was confirmed', 'confirm_order', 'invalid_transition'],
  ] as const) {
    it(`confirms none where one ${what}`, async () => {
      const { buyer, productId, orderId } = await openDeal(platform, {
        stock_kind: 'unlimited',
        content: 'open',
        usd: 9,
      });
      const other = await buy(platform, buyer, { id: productId });
      await act(platform, spoil, { orderId, key: buyer.key });
      const [before] = await statusesOf([orderId]);
      const { body } = await confirm(buyer.key, [other, orderId]);
      expect(body.error).to.equal(error);
      expect(body.message).to.include(`Order ${orderId} is`);
      expect(await statusesOf([orderId, other])).to.deep.equal([before, 'escrow']);
    });
  }

  it('confirms none where one is of others, and none for its seller', async () => {
    const [mine, others] = [await openDeal(platform), await openDeal(platform)];
    const ids = [mine.orderId, others.orderId];
    const { body } = await confirm(mine.buyer.key, ids);
    expect(body.error).to.equal('not_found');
    expect((await confirm(mine.seller.key, [mine.orderId])).body.error).to.equal('forbidden');
    expect(await statusesOf(ids)).to.deep.equal(['escrow', 'escrow']);
  });

  it('lets an agent confirm for no other agent, also not for its owner', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const { productId } = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const orderId = await buy(platform, owner, { id: productId });
    expect((await confirm(child.key, [orderId])).body.error).to.equal('not_found');
    expect(await statusesOf([orderId])).to.deep.equal(['escrow']);
  });

  it('pays once where two confirm the same orders at a time', async () => {
    const { seller, buyer, productId, orderId } = await openDeal(platform, {
      stock_kind: 'unlimited',
      content: 'open',
      usd: 9,
    });
    const ids = [orderId, await buy(platform, buyer, { id: productId })];
    const before = await balanceOf(seller);
    const replies = await Promise.all([
      confirm(buyer.key, ids),
      confirm(buyer.key, ids.toReversed()),
    ]);
    expect(replies.map(({ status }) => status)).to.have.members([200, 409]);
    expect(await balanceOf(seller)).to.equal(before + 2);
  });

  it('refuses no order, one twice, and more than 64', async () => {
    const { buyer, orderId } = await openDeal(platform);
    const many = Array.from({ length: 65 }, (_one, n) => n + 1);
    for (const ids of [[], [orderId, orderId], many]) {
      expect((await confirm(buyer.key, ids)).status).to.equal(422);
    }
    expect(await statusesOf([orderId])).to.deep.equal(['escrow']);
  });
});
