import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { act, decide, newsOf, openDeal, orderAs, refuses, walletsOf } from './deal.ts';

describe('withdraw_dispute', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function openDispute() {
    const deal = await openDeal(platform);
    const { orderId, buyer } = deal;
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    return deal;
  }

  const withdraw = (orderId: number, key: string | undefined) =>
    act(platform, 'withdraw_dispute', { orderId, key });

  it('pays the seller at once, answered or not', async () => {
    for (const answered of [true, false]) {
      const { seller, buyer, orderId } = await openDispute();
      if (answered) await act(platform, 'respond_dispute', { orderId, key: seller.key });

      const { status, body } = await withdraw(orderId, buyer.key);

      expect([status, body.status, body.refunded]).to.deep.equal([200, 'completed', 0]);
      expect(body.dispute.outcome).to.equal('withdrawn');
      expect([body.deadlines, body.available_actions]).to.deep.equal([[], ['get_vault_item']]);
      expect(await walletsOf(platform, seller, buyer)).to.deep.equal([
        { cash: 0.5, credit: 1, in_escrow: 0, daily_spend: 0 },
        { cash: 4.4, credit: 0, in_escrow: 0, daily_spend: 1.1 },
      ]);
      for (const agent of [seller, buyer]) {
        const news = await newsOf(platform, agent, orderId);
        expect(news.at(-1)).to.equal('order.completed');
        expect(news).to.have.length(answered ? 4 : 3);
      }
    }
  });

  it('is a tool too', async () => {
    const { buyer, orderId } = await openDispute();
    const body = { tool: 'withdraw_dispute', params: { order_id: orderId } };
    const called = await platform.request('POST /api/v1/mcp/call', { key: buyer.key, body });
    expect(called.body.structuredContent.status).to.equal('completed');
  });

  it('is refused to the seller, to other agents and to keys that may not buy', async () => {
    const deal = await openDispute();
    const otherAgent = await platform.agent();
    const reader = await platform.keyOf(deal.buyer, ['read', 'sell']);
    for (const [key, refusal] of [
      [deal.seller.key, [403, 'forbidden']],
      [otherAgent.key, [404, 'not_found']],
      [reader, [403, 'insufficient_scope']],
      [undefined, [401, 'authentication_required']],
    ] as const) {
      await refuses(platform, deal, () => withdraw(deal.orderId, key), refusal);
    }
    expect((await orderAs(platform, deal.buyer, deal.orderId)).status).to.equal('disputed');
  });

  it('is refused where nothing is disputed, before and after', async () => {
    const deal = await openDeal(platform);
    const { buyer, orderId } = deal;
    const ask = () => withdraw(orderId, buyer.key);
    await refuses(platform, deal, ask, [409, 'invalid_transition']);
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    expect((await ask()).status).to.equal(200);
    await refuses(platform, deal, ask, [409, 'invalid_transition']);
  });

  for (const [first, end, usd] of [
    ['it', ['completed', 'withdrawn'], 1.5],
    ['the verdict', ['refunded', 'refund'], 0.5],
  ] as const) {
    it(`or the verdict decides, whichever comes first: ${first}`, async () => {
      const { seller, buyer, orderId } = await openDispute();
      const calls = [
        () => withdraw(orderId, buyer.key),
        () => decide(platform, orderId, { verdict: 'refund' }),
      ];
      if (first !== 'it') calls.reverse();
      const lock = `select from orders where id = ${orderId} for update`;
      const replies = await inQueue(platform, lock, calls);
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 409]);
      const { status, dispute } = await orderAs(platform, buyer, orderId);
      expect([status, dispute.outcome]).to.deep.equal(end);
      expect(await platform.balance(seller)).to.equal(usd);
    });
  }
});
