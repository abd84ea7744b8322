import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { makeYesterdays } from '../wallet/yesterday.ts';
import { act, expectRefusal, newsOf, openDeal, orderAs, refuses, walletsOf } from './deal.ts';
import type { Agent } from './deal.ts';
import { fallDue, runTimer } from './trade.ts';
import { setPolicy } from '../policy.ts';

describe('refund_order', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const refund = (orderId: number, { key }: { key: string }) =>
    act(platform, 'refund_order', { orderId, key });
  const open = (orderId: number, { key }: { key: string }) =>
    act(platform, 'get_vault_item', { orderId, key });
  const stockOf = async (seller: Agent, productId: number) =>
    (await platform.request(`GET /api/v1/products/${productId}/stock`, { key: seller.key })).body;
  const buy = ({ key }: Agent, productId: number, quantity = 1) =>
    platform.request('POST /api/v1/orders', { key, body: { product_id: productId, quantity } });

  for (const side of ['seller', 'buyer'] as const) {
    it(`by the ${side} returns price and fee in the funds in which they were paid`, async () => {
      const deal = await openDeal(platform);
      const { seller, buyer, orderId } = deal;

      const { status, body } = await refund(orderId, deal[side]);

      expect([status, body.status, body.refunded]).to.deep.equal([200, 'refunded', 1.1]);
      expect([body.deadlines, body.available_actions]).to.deep.equal([[], []]);
      expect(await walletsOf(platform, seller, buyer)).to.deep.equal([
        { cash: 0, credit: 0.5, in_escrow: 0, daily_spend: 0 },
        { cash: 5, credit: 0.5, in_escrow: 0, daily_spend: 0 },
      ]);
      for (const agent of [seller, buyer]) {
        const news = ['order.created', 'order.refunded'];
        expect(await newsOf(platform, agent, orderId)).to.deep.equal(news);
      }
    });
  }

  it('may be done by the owner of the agent that bought', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const { productId } = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const { body } = await buy(child, productId);
    expect((await refund(body.order_id, owner)).body.status).to.equal('refunded');
  });

  it('is a tool too', async () => {
    const { seller, orderId } = await openDeal(platform);
    const body = { tool: 'refund_order', params: { order_id: orderId } };
    const called = await platform.request('POST /api/v1/mcp/call', { key: seller.key, body });
    expect(called.body.structuredContent.refunded).to.equal(1.1);
  });

  it('closes the vault', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);
    await open(orderId, buyer);
    await refund(orderId, seller);
    expectRefusal(await open(orderId, buyer), 409, 'invalid_transition');
  });

  it('by the buyer is refused once the vault was opened; the seller still can', async () => {
    const deal = await openDeal(platform);
    const { buyer, seller, orderId } = deal;
    await open(orderId, buyer);
    await refuses(platform, deal, () => refund(orderId, buyer), [409, 'invalid_transition']);
    expect((await refund(orderId, seller)).status).to.equal(200);
  });

  it('needs the scope of the side that asks, whatever else the key may do', async () => {
    const deal = await openDeal(platform);
    const { buyer, seller, orderId } = deal;
    for (const [agent, scopes] of [
      [buyer, ['read', 'sell']],
      [seller, ['read', 'buy']],
    ] as const) {
      const key = await platform.keyOf(agent, [...scopes]);
      await refuses(platform, deal, () => refund(orderId, { key }), [403, 'insufficient_scope']);
    }
    const otherAgent = await platform.agent();
    await refuses(platform, deal, () => refund(orderId, otherAgent), [404, 'not_found']);
    const anyone = () => platform.request(`POST /api/v1/orders/${orderId}/refund`);
    await refuses(platform, deal, anyone, [401, 'authentication_required']);
    const key = await platform.keyOf(buyer, ['buy']);
    expect((await refund(orderId, { key })).status).to.equal(200);
  });

  for (const side of ['seller', 'buyer'] as const) {
    for (const ending of ['confirm_order', 'refund_order'] as const) {
      it(`by the ${side} is refused after ${ending}`, async () => {
        const deal = await openDeal(platform);
        const { orderId, buyer } = deal;
        await act(platform, ending, { orderId, key: buyer.key });
        const again = () => refund(orderId, deal[side]);
        await refuses(platform, deal, again, [409, 'invalid_transition']);
      });
    }

    it(`by the ${side} is refused after the timed release`, async () => {
      const deal = await openDeal(platform);
      const { orderId } = deal;
      await fallDue(platform, orderId);
      await runTimer(platform, 'release_due_orders');
      const late = () => refund(orderId, deal[side]);
      await refuses(platform, deal, late, [409, 'invalid_transition']);
    });

    it(`by the ${side} ends a dispute`, async () => {
      const deal = await openDeal(platform);
      const { orderId, buyer } = deal;
      await act(platform, 'dispute_order', { orderId, key: buyer.key });
      expect((await refund(orderId, deal[side])).body.status).to.equal('refunded');
      const outcome = { buyer: 'withdrawn', seller: 'refunded_by_seller' }[side];
      expect((await orderAs(platform, buyer, orderId)).dispute.outcome).to.equal(outcome);
    });
  }

  describe('and the stock', () => {
    it('sells a unit again that nobody saw, to whoever comes next', async () => {
      const { seller, buyer, orderId, productId } = await openDeal(platform, { units: 2 });
      expect(await stockOf(seller, productId)).to.include({ available: 0, sold: 2 });
      await refund(orderId, buyer);
      expect(await stockOf(seller, productId)).to.include({ available: 2, sold: 0 });
      const next = await platform.agent({ usd: 5 });
      const { status, body } = await buy(next, productId, 2);
      expect(status).to.equal(200);
      expect((await open(body.order_id, next)).body.items).to.have.length(2);
      expectRefusal(await open(orderId, buyer), 409, 'invalid_transition');
    });

    it('never sells a unit again that its buyer has seen', async () => {
      const { seller, buyer, orderId, productId } = await openDeal(platform);
      await open(orderId, buyer);
      await refund(orderId, seller);
      expect(await stockOf(seller, productId)).to.include({ available: 0, sold: 1 });
      const next = await platform.agent({ usd: 5 });
      expectRefusal(await buy(next, productId), 400, 'out_of_stock');
    });

    for (const [seen, left] of [
      [false, 5],
      [true, 2],
    ] as const) {
      it(`counts ${left} of 5 when 3 ${seen ? 'seen' : 'unseen'} ones come back`, async () => {
        const counted = { stock_kind: 'counted', content: 'licence', quantity: 6 };
        const { seller, buyer, orderId, productId } = await openDeal(platform, counted);
        const { body } = await buy(buyer, productId, 3);
        if (seen) await open(body.order_id, buyer);
        await refund(body.order_id, seller);
        expect((await stockOf(seller, productId)).available).to.equal(left);
        expect((await orderAs(platform, buyer, orderId)).status).to.equal('escrow');
      });
    }
  });

  describe('and the daily limit', () => {
    const limit = (agent: Agent, micros: number) =>
      setPolicy(platform, agent, { daily_spend_limit: micros });

    it('gives back what was spent today, to the agent and to everyone above it', async () => {
      const owner = await platform.agent({ usd: 5 });
      const child = await childOf(platform, owner);
      const unlimited = { stock_kind: 'unlimited', content: 'open' };
      const { seller, productId } = await openDeal(platform, unlimited);
      await limit(owner, 1_100_000);
      const { body } = await buy(child, productId);
      expectRefusal(await buy(child, productId), 402, 'daily_limit_exceeded');
      await refund(body.order_id, seller);
      const [above, below] = await walletsOf(platform, owner, child);
      expect([above!.daily_spend, below!.daily_spend]).to.deep.equal([0, 0]);
      expect((await buy(child, productId)).status).to.equal(200);
    });

    it('does not give back what was spent on another day', async () => {
      const deal = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
      const { seller, buyer, orderId, productId } = deal;
      await limit(buyer, 1_100_000);
      await makeYesterdays(platform, deal.buyer.id);
      expect((await buy(buyer, productId)).status).to.equal(200);
      await refund(orderId, seller);
      expect((await walletsOf(platform, buyer))[0]!.daily_spend).to.equal(1.1);
      expectRefusal(await buy(buyer, productId), 402, 'daily_limit_exceeded');
    });
  });

  for (const [first, available] of [
    ['opened', 0],
    ['refunded', 1],
  ] as const) {
    it(`gives back the goods unseen, or not at all, when both are asked for at once: ${first} first`, async () => {
      const { seller, buyer, orderId, productId } = await openDeal(platform);
      const calls = [() => open(orderId, buyer), () => refund(orderId, buyer)];
      if (first === 'refunded') calls.reverse();
      const lock = `select from orders where id = ${orderId} for update`;
      const replies = await inQueue(platform, lock, calls);
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 409]);
      expect(await stockOf(seller, productId)).to.include({ available });
    });
  }
});
