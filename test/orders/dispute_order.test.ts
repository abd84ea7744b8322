import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { getOrder } from '../../shared/domains/orders/get_order.ts';
import { perform } from '../../shared/performing/perform.ts';
import { TestPlatform } from '../harness.ts';
import { act, expectRefusal, newsOf, openDeal, orderAs, refuses, walletsOf } from './deal.ts';
import { fallDue, runSweep } from './trade.ts';

describe('dispute_order', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('stops the release and gives the seller 48 hours to answer', async () => {
    const deal = await openDeal(platform);
    const { seller, buyer, orderId } = deal;
    const before = await walletsOf(platform, seller, buyer);

    const { status, body } = await act(platform, 'dispute_order', { orderId, key: buyer.key });

    expect([status, body.status]).to.deep.equal([200, 'disputed']);
    const [deadline] = body.deadlines;
    expect(deadline.happens).to.equal('The buyer is refunded in full.');
    const hours = (Date.parse(deadline.at) - Date.now()) / 3_600_000;
    expect(hours).to.be.within(47.9, 48.1);
    await fallDue(platform, orderId);
    expect(await runSweep(platform, 'release_due_orders')).to.deep.equal({
      released: 0,
      failed: 0,
    });
    expect(await walletsOf(platform, seller, buyer)).to.deep.equal(before);
    for (const agent of [seller, buyer]) {
      expect(await newsOf(platform, agent, orderId)).to.deep.equal([
        'order.created',
        'order.disputed',
      ]);
    }
  });

  it('leaves what was paid in escrow, as the wallet says', async () => {
    const { buyer, orderId } = await openDeal(platform);
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    const { body } = await platform.request('GET /api/v1/wallet', { key: buyer.key });
    expect(body.in_escrow).to.equal(1.1);
  });

  it('shows both parties what is said, marked as written by others', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);
    const said = { reason: ' It does \u202enot open.\u200b ' };
    await act(platform, 'dispute_order', { orderId, key: buyer.key }, said);
    for (const agent of [seller, buyer]) {
      const { dispute } = await orderAs(platform, agent, orderId);
      expect(dispute).to.deep.equal({
        reason: { untrusted: true, content: said.reason },
        response: null,
        opened_at: dispute.opened_at,
        respond_by: dispute.respond_by,
        outcome: null,
        note: null,
        closed_at: null,
      });
    }
  });

  it('is a tool too', async () => {
    const { buyer, orderId } = await openDeal(platform);
    const params = { order_id: orderId, reason: 'It is empty.' };
    const body = { tool: 'dispute_order', params };
    const called = await platform.request('POST /api/v1/mcp/call', { key: buyer.key, body });
    expect(called.body.structuredContent.status).to.equal('disputed');
  });

  it('is refused to the seller, to other agents and to keys that may not buy', async () => {
    const deal = await openDeal(platform);
    const { orderId } = deal;
    const otherAgent = await platform.agent();
    const reader = await platform.keyOf(deal.buyer, ['read', 'sell']);
    for (const [key, refusal] of [
      [deal.seller.key, [403, 'forbidden']],
      [otherAgent.key, [404, 'not_found']],
      [reader, [403, 'insufficient_scope']],
      [undefined, [401, 'authentication_required']],
    ] as const) {
      await refuses(
        platform,
        deal,
        () => act(platform, 'dispute_order', { orderId, key }),
        refusal,
      );
    }
    expect((await orderAs(platform, deal.buyer, orderId)).status).to.equal('escrow');
  });

  it('needs a reason that can be read', async () => {
    const deal = await openDeal(platform);
    const { buyer, orderId } = deal;
    for (const body of [
      {},
      { reason: '' },
      { reason: ' \u200b\n ' },
      { reason: 'x'.repeat(2001) },
      { reason: 'It is empty.', funds: 'red' },
    ]) {
      const dispute = () => act(platform, 'dispute_order', { orderId, key: buyer.key }, body);
      await refuses(platform, deal, dispute, [422, 'validation_error']);
    }
  });

  for (const ending of ['confirm_order', 'refund_order', 'dispute_order'] as const) {
    it(`is refused after ${ending}`, async () => {
      const deal = await openDeal(platform);
      const { orderId, buyer } = deal;
      await act(platform, ending, { orderId, key: buyer.key });
      const dispute = () => act(platform, 'dispute_order', { orderId, key: buyer.key });
      await refuses(platform, deal, dispute, [409, 'invalid_transition']);
    });
  }

  it('is refused once the release is due, even where the timer is late', async () => {
    const deal = await openDeal(platform);
    const { orderId, buyer } = deal;
    await fallDue(platform, orderId);
    const dispute = () => act(platform, 'dispute_order', { orderId, key: buyer.key });
    await refuses(platform, deal, dispute, [409, 'invalid_transition']);
    expect((await orderAs(platform, buyer, orderId)).available_actions).not.to.include(
      'dispute_order',
    );
  });

  it('is listed until the release is due, by the clock that decides', async () => {
    const { buyer, orderId } = await openDeal(platform);
    const dueMs = Date.parse((await orderAs(platform, buyer, orderId)).release_at);
    const caller = { agentId: buyer.id, rootId: buyer.id, keyId: 0, scopes: [] };
    const listedAt = async (ms: number) => {
      const call = { caller, key: 'test', now: new Date(ms), requestId: 'test' };
      const { body } = (await perform(platform.context, getOrder, { order_id: orderId }, call))!;
      return (body as { available_actions: string[] }).available_actions;
    };
    expect(await listedAt(dueMs - 1)).to.include('dispute_order');
    expect(await listedAt(dueMs)).not.to.include('dispute_order');
  });

  it('opens one dispute of ten that are made at once', async () => {
    const { buyer, orderId } = await openDeal(platform);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => act(platform, 'dispute_order', { orderId, key: buyer.key })),
    );
    const [first, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect(first!.status).to.equal(200);
    for (const other of others) expectRefusal(other, 409, 'invalid_transition');
    expect(await newsOf(platform, buyer, orderId)).to.have.length(2);
  });
});
