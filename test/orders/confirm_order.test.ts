import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { act, newsOf, openDeal, orderAs, refuses, walletsOf } from './deal.ts';
import { fallDue, runSweep } from './trade.ts';

describe('confirm_order', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('pays the seller the whole price at once and keeps the fee', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);

    const { status, body } = await act(platform, 'confirm_order', { orderId, key: buyer.key });

    expect([status, body.status, body.refunded]).to.deep.equal([200, 'completed', 0]);
    expect(body.deadlines).to.deep.equal([]);
    expect(body.available_actions).to.deep.equal(['get_vault_item']);
    expect(await walletsOf(platform, seller, buyer)).to.deep.equal([
      { cash: 0.5, credit: 1, in_escrow: 0, daily_spend: 0 },
      { cash: 4.4, credit: 0, in_escrow: 0, daily_spend: 1.1 },
    ]);
    for (const agent of [seller, buyer]) {
      expect(await newsOf(platform, agent, orderId)).to.deep.equal([
        'order.created',
        'order.completed',
      ]);
    }
  });

  it('is a tool too', async () => {
    const { buyer, orderId } = await openDeal(platform);
    const call = { tool: 'confirm_order', params: { order_id: orderId } };
    const called = await platform.request('POST /api/v1/mcp/call', { key: buyer.key, body: call });
    expect(called.body.structuredContent.status).to.equal('completed');
    const again = await platform.request('POST /api/v1/mcp/call', { key: buyer.key, body: call });
    expect([again.status, again.body.isError]).to.deep.equal([409, true]);
    expect(again.body.structuredContent.error).to.equal('invalid_transition');
  });

  it('leaves the vault open', async () => {
    const { buyer, orderId } = await openDeal(platform);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    const vault = await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    expect(vault.status).to.equal(200);
  });

  it('may be done by the owner of the agent that bought', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const { productId } = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const body = { product_id: productId };
    const bought = await platform.request('POST /api/v1/orders', { key: child.key, body });
    const { order_id: orderId } = bought.body;
    const { body: confirmed } = await act(platform, 'confirm_order', { orderId, key: owner.key });
    expect(confirmed.status).to.equal('completed');
    expect((await orderAs(platform, child, orderId)).status).to.equal('completed');
  });

  it('pays the tree of an agent that sells as a child', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    const product = await platform.product(child, { price: 1 });
    const buyer = await platform.agent({ usd: 5 });
    const body = { product_id: product.id };
    const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    const { order_id: orderId } = bought.body;
    const { status } = await act(platform, 'confirm_order', { orderId, key: buyer.key });
    expect(status).to.equal(200);
    expect(await platform.balance(owner)).to.equal(1.5);
  });

  it('answers a repeat under the same Idempotency-Key without paying again', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);
    const confirm = () =>
      platform.request(`POST /api/v1/orders/${orderId}/confirm`, {
        key: buyer.key,
        headers: { 'idempotency-key': 'once' },
      });
    const first = await confirm();
    const second = await confirm();
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
    expect(await platform.balance(seller)).to.equal(1.5);
  });

  it('is refused to the seller, to other agents and to keys that may not buy', async () => {
    const deal = await openDeal(platform);
    const otherAgent = await platform.agent();
    const reader = await platform.keyOf(deal.buyer, ['read', 'sell']);
    for (const [key, refusal] of [
      [deal.seller.key, [403, 'forbidden']],
      [otherAgent.key, [404, 'not_found']],
      [reader, [403, 'insufficient_scope']],
      [undefined, [401, 'authentication_required']],
    ] as const) {
      const { orderId } = deal;
      await refuses(
        platform,
        deal,
        () => act(platform, 'confirm_order', { orderId, key }),
        refusal,
      );
    }
    expect((await orderAs(platform, deal.buyer, deal.orderId)).status).to.equal('escrow');
  });

  for (const ending of ['confirm_order', 'refund_order', 'dispute_order'] as const) {
    it(`is refused after ${ending}`, async () => {
      const deal = await openDeal(platform);
      const { orderId, buyer } = deal;
      await act(platform, ending, { orderId, key: buyer.key });
      const confirm = () => act(platform, 'confirm_order', { orderId, key: buyer.key });
      await refuses(platform, deal, confirm, [409, 'invalid_transition']);
    });
  }

  it('still works when the release is due and the timer is late', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);
    await fallDue(platform, orderId);
    expect((await act(platform, 'confirm_order', { orderId, key: buyer.key })).status).to.equal(
      200,
    );
    expect(await runSweep(platform, 'release_due_orders')).to.deep.equal({
      released: 0,
      failed: 0,
    });
    expect(await platform.balance(seller)).to.equal(1.5);
  });
});
