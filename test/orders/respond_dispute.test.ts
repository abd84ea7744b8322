import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import * as deals from './deal.ts';
import { act, decide, expectRefusal, newsOf, openDeal, orderAs, refuses } from './deal.ts';
import { runTimer, runSweep } from './trade.ts';

describe('respond_dispute', () => {
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

  const respond = (orderId: number, key: string | undefined, body?: object) =>
    act(platform, 'respond_dispute', { orderId, key }, body ?? { response: 'It opened for me.' });

  it('shows the answer to both and leaves the decision to an operator', async () => {
    const { seller, buyer, orderId } = await openDispute();

    const { status, body } = await respond(orderId, seller.key);

    expect([status, body.status, body.deadlines]).to.deep.equal([200, 'disputed', []]);
    expect(body.available_actions).to.deep.equal(['refund_order']);
    for (const agent of [seller, buyer]) {
      const { dispute } = await orderAs(platform, agent, orderId);
      expect(dispute.response).to.deep.equal({ untrusted: true, content: 'It opened for me.' });
      const news = ['order.created', 'order.disputed', 'order.dispute_answered'];
      expect(await newsOf(platform, agent, orderId)).to.deep.equal(news);
    }
    await deals.makeSilent(platform, orderId);
    expect(await runSweep(platform, 'refund_unanswered_disputes')).to.deep.equal({
      refunded: 0,
      failed: 0,
    });
    expect((await orderAs(platform, buyer, orderId)).status).to.equal('disputed');
  });

  it('is a tool too', async () => {
    const { seller, orderId } = await openDispute();
    const params = { order_id: orderId, response: 'It opened for me.' };
    const body = { tool: 'respond_dispute', params };
    const called = await platform.request('POST /api/v1/mcp/call', { key: seller.key, body });
    expect(called.body.structuredContent.status).to.equal('disputed');
  });

  it('can be done once', async () => {
    const deal = await openDispute();
    const { seller, orderId } = deal;
    await respond(orderId, seller.key);
    const again = () => respond(orderId, seller.key, { response: 'And another thing.' });
    await refuses(platform, deal, again, [409, 'invalid_transition']);
    const { dispute } = await orderAs(platform, seller, orderId);
    expect(dispute.response.content).to.equal('It opened for me.');
  });

  it('is refused to the buyer, to other agents and to keys that may not sell', async () => {
    const deal = await openDispute();
    const otherAgent = await platform.agent();
    const reader = await platform.keyOf(deal.seller, ['read', 'buy']);
    for (const [key, refusal] of [
      [deal.buyer.key, [403, 'forbidden']],
      [otherAgent.key, [404, 'not_found']],
      [reader, [403, 'insufficient_scope']],
      [undefined, [401, 'authentication_required']],
    ] as const) {
      await refuses(platform, deal, () => respond(deal.orderId, key), refusal);
    }
    expect((await orderAs(platform, deal.seller, deal.orderId)).dispute.response).to.equal(null);
  });

  it('needs an answer that can be read', async () => {
    const deal = await openDispute();
    for (const body of [{}, { response: '' }, { response: '\u200b' }, { response: 7 }]) {
      const ask = () => respond(deal.orderId, deal.seller.key, body);
      await refuses(platform, deal, ask, [422, 'validation_error']);
    }
  });

  it('is refused where nothing is disputed, before and after', async () => {
    const deal = await openDeal(platform);
    const { seller, buyer, orderId } = deal;
    const late = () => respond(orderId, seller.key);
    await refuses(platform, deal, late, [409, 'invalid_transition']);
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    await decide(platform, orderId, { verdict: 'refund' });
    await refuses(platform, deal, late, [409, 'invalid_transition']);
  });

  for (const [what, isFirst, end] of [
    ['saves the order from a timer that comes at the same moment', true, ['disputed', null]],
    ['comes too late after such a timer', false, ['refunded', 'seller_silent']],
  ] as const) {
    it(what, async () => {
      const { seller, buyer, orderId } = await openDispute();
      await deals.makeSilent(platform, orderId);
      let answered: Reply | undefined;
      const calls: (() => Promise<unknown>)[] = [
        async () => (answered = await respond(orderId, seller.key)),
        () => runTimer(platform, 'refund_unanswered_disputes'),
      ];
      if (!isFirst) calls.reverse();
      await inQueue(platform, `select from orders where id = ${orderId} for update`, calls);
      if (isFirst) expect(answered!.status).to.equal(200);
      else expectRefusal(answered!, 409, 'invalid_transition');
      const { status, dispute } = await orderAs(platform, buyer, orderId);
      expect([status, dispute.outcome]).to.deep.equal(end);
    });
  }
});
