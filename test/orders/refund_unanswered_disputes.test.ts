import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import * as deals from './deal.ts';
import { act, newsOf, openDeal, orderAs, walletsOf } from './deal.ts';
import { buy, runTimer } from './trade.ts';

describe('refund_unanswered_disputes', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const run = () => runTimer(platform, 'refund_unanswered_disputes');

  async function openDispute({ opened = false } = {}) {
    const deal = await openDeal(platform);
    const { orderId, buyer } = deal;
    if (opened) await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    return deal;
  }

  for (const opened of [false, true]) {
    it(`believes the buyer of ${opened ? 'an opened' : 'a closed'} vault when the seller is silent`, async () => {
      const { seller, buyer, orderId, productId } = await openDispute({ opened });
      await deals.makeSilent(platform, orderId);
      await run();

      const order = await orderAs(platform, buyer, orderId);
      expect([order.status, order.refunded]).to.deep.equal(['refunded', 1.1]);
      expect(order.dispute.outcome).to.equal('seller_silent');
      expect(await walletsOf(platform, seller, buyer)).to.deep.equal([
        { cash: 0, credit: 0.5, in_escrow: 0, daily_spend: 0 },
        { cash: 5, credit: 0.5, in_escrow: 0, daily_spend: 0 },
      ]);
      for (const agent of [seller, buyer]) {
        expect((await newsOf(platform, agent, orderId)).at(-1)).to.equal('order.refunded');
      }
      const route = `GET /api/v1/products/${productId}/stock`;
      const stock = await platform.request(route, { key: seller.key });
      expect(stock.body.available).to.equal(opened ? 0 : 1);
    });
  }

  it('refunds all others when one dispute cannot be closed, and says which', async () => {
    const disputes = await Promise.all(Array.from({ length: 3 }, () => openDispute()));
    for (const { orderId } of disputes) await deals.makeSilent(platform, orderId);
    const bad = disputes[1]!.orderId;
    await platform.query('update orders set escrow_id = -escrow_id where id = $1', [bad]);
    expect(await run()).to.deep.equal([{ refunded: 2, failed: 1 }]);
    for (const { buyer, orderId } of disputes) {
      const order = await orderAs(platform, buyer, orderId);
      expect(order.status).to.equal(orderId === bad ? 'disputed' : 'refunded');
    }

    await platform.query('update orders set escrow_id = -escrow_id where id = $1', [bad]);
    await platform.query('update sweep_fault set next_at = now()');
    expect(await run()).to.deep.equal([{ refunded: 1, failed: 0 }]);
  });

  it('gives two refunds of a day back to its limits, and the units of both orders', async () => {
    const counted = { stock_kind: 'counted', content: 'licence', quantity: 9 };
    const { seller, buyer, orderId, productId } = await openDeal(platform, counted);
    const second = await buy(platform, buyer, { id: productId }, 2);
    for (const id of [orderId, second]) {
      await act(platform, 'dispute_order', { orderId: id, key: buyer.key });
      await deals.makeSilent(platform, id);
    }
    await run();
    expect(await walletsOf(platform, buyer)).to.deep.equal([
      { cash: 5, credit: 0.5, in_escrow: 0, daily_spend: 0 },
    ]);
    const route = `GET /api/v1/products/${productId}/stock`;
    const { body } = await platform.request(route, { key: seller.key });
    expect(body.available).to.equal(9);
  });

  it('leaves alone what has time left and what was answered', async () => {
    const [waiting, answered] = [await openDispute(), await openDispute()];
    const { orderId, seller } = answered;
    await act(platform, 'respond_dispute', { orderId, key: seller.key });
    await deals.makeSilent(platform, orderId);
    await platform.query(
      `update dispute set respond_by = now() + interval '30 minutes' where order_id = $1`,
      [waiting.orderId],
    );
    expect(await run()).to.deep.equal([{ refunded: 0, failed: 0 }]);
    for (const deal of [waiting, answered]) {
      expect((await orderAs(platform, deal.buyer, deal.orderId)).status).to.equal('disputed');
    }
  });

  it('refunds each once, however many timers run at once', async () => {
    const disputes = await Promise.all(Array.from({ length: 8 }, () => openDispute()));
    for (const { orderId } of disputes) await deals.makeSilent(platform, orderId);
    const told = await Promise.all([run(), run(), run()]);
    const refunded = told.flat().map((answer) => (answer as { refunded: number }).refunded);
    expect(refunded.reduce((sum, n) => sum + n)).to.equal(8);
    for (const { buyer, orderId } of disputes) {
      expect((await orderAs(platform, buyer, orderId)).status).to.equal('refunded');
      expect(await platform.balance(buyer)).to.equal(5.5);
    }
  });
});
