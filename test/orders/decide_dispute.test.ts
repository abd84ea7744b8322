import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import * as deals from './deal.ts';
import { act, decide, newsOf, openDeal, orderAs, refuses, walletsOf } from './deal.ts';
import type { Deal } from './deal.ts';

describe('decide_dispute', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function openDispute(fields: Parameters<typeof openDeal>[1] = {}): Promise<Deal> {
    const deal = await openDeal(platform, fields);
    const { orderId, buyer } = deal;
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    return deal;
  }

  for (const [verdict, status, sellers, buyers] of [
    [{ verdict: 'release' }, 'completed', { cash: 0.5, credit: 1 }, { cash: 4.4, credit: 0 }],
    [{ verdict: 'refund' }, 'refunded', { cash: 0, credit: 0.5 }, { cash: 5, credit: 0.5 }],
    [
      // $0.30 and the fee of $0.03 leave in credit; $0.17 of it is left, with the whole cash.
      { verdict: 'split', seller_amount: 0.3 },
      'partially_refunded',
      { cash: 0, credit: 0.8 },
      { cash: 5, credit: 0.17 },
    ],
  ] as const) {
    it(`${verdict.verdict}: the order is ${status} and each has their part`, async () => {
      const { seller, buyer, orderId } = await openDispute();

      const { status: code, body } = await decide(platform, orderId, verdict);

      expect(code).to.equal(200);
      expect(body).to.deep.equal({ order_id: orderId, status, decided_at: body.decided_at });
      const [sold, bought] = await walletsOf(platform, seller, buyer);
      expect(sold).to.include({ ...sellers, in_escrow: 0, daily_spend: 0 });
      const refunded = buyers.cash + buyers.credit - 4.4;
      expect(bought).to.include({ ...buyers, in_escrow: 0 });
      expect(bought!.daily_spend).to.be.closeTo(1.1 - refunded, 1e-9);
      for (const agent of [seller, buyer]) {
        const order = await orderAs(platform, agent, orderId);
        expect(order.status).to.equal(status);
        expect(order.refunded).to.be.closeTo(refunded, 1e-9);
        expect(order.deadlines).to.deep.equal([]);
        expect(order.dispute).to.include({
          outcome: verdict.verdict,
          note: 'I have seen both sides.',
        });
        expect(await newsOf(platform, agent, orderId)).to.deep.equal([
          'order.created',
          'order.disputed',
          `order.${status}`,
        ]);
      }
    });
  }

  it('splits to the micro-dollar, rounds the fee down and gives the buyer the remainder', async () => {
    const pool = await openDispute({ price: 0.00001, usd: 0 });
    const { seller, buyer, orderId } = pool;
    // Fee 1 of 10 micro-dollars. Of 9 of 10 it would be 0.9, so nothing is kept.
    await decide(platform, orderId, { verdict: 'split', seller_amount: 0.000009 });
    expect((await orderAs(platform, buyer, orderId)).refunded).to.equal(0.000002);
    expect(await platform.balance(seller)).to.equal(0.500009);
    expect(await platform.balance(buyer)).to.equal(0.499991);
  });

  it('splits a price whose product with its fee is too large for 64 bits', async () => {
    const { seller, buyer, orderId } = await openDispute({ price: 20_000, usd: 25_000 });
    await decide(platform, orderId, { verdict: 'split', seller_amount: 15_000 });
    expect((await orderAs(platform, buyer, orderId)).refunded).to.equal(5_500);
    expect(await platform.balance(seller)).to.equal(15_000.5);
    expect(await platform.balance(buyer)).to.equal(8_500.5);
  });

  it('divides any price at any point without losing or making a micro-dollar', async function () {
    this.timeout(60_000);
    const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 100_000 })];
    const { id } = await platform.product(seller, { stock_kind: 'unlimited', content: 'open' });
    const micros = (usd: number) => Math.round(usd * 1e6);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 3_000_000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 10_000 }),
        async (price, quantity, part) => {
          const subtotal = price * quantity;
          const earned = Math.min(
            subtotal - 1,
            Math.max(1, Math.floor((subtotal * part) / 10_000)),
          );
          const change = { price: price / 1e6 };
          await platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body: change });
          await platform.fund(buyer.id, (subtotal * 2) / 1e6);
          const [sold, bought] = await walletsOf(platform, seller, buyer);
          const order = { product_id: id, quantity };
          const { body } = await platform.request('POST /api/v1/orders', {
            key: buyer.key,
            body: order,
          });
          await act(platform, 'dispute_order', { orderId: body.order_id, key: buyer.key });
          const verdict = { verdict: 'split', seller_amount: earned / 1e6 };
          expect((await decide(platform, body.order_id, verdict)).status).to.equal(200);

          const fee = Math.floor((subtotal + 5) / 10);
          const kept = Number((BigInt(fee) * BigInt(earned)) / BigInt(subtotal));
          const [soldThen, boughtThen] = await walletsOf(platform, seller, buyer);
          const gained = (now: typeof sold, then: typeof sold) =>
            micros(now!.cash) + micros(now!.credit) - micros(then!.cash) - micros(then!.credit);
          expect(gained(soldThen, sold)).to.equal(earned);
          expect(gained(boughtThen, bought)).to.equal(-earned - kept);
        },
      ),
      { numRuns: 30 },
    );
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('leaves the vault of a split order open, and its units sold', async () => {
    const { seller, buyer, orderId, productId } = await openDispute();
    await decide(platform, orderId, { verdict: 'split', seller_amount: 0.5 });
    const stock = await platform.request(`GET /api/v1/products/${productId}/stock`, {
      key: seller.key,
    });
    expect(stock.body).to.include({ available: 0, sold: 1 });
    expect((await orderAs(platform, buyer, orderId)).available_actions).to.deep.equal([
      'get_vault_item',
    ]);
    const vault = await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    expect(vault.status).to.equal(200);
  });

  it('gives no counted unit of a split order back', async () => {
    const counted = { stock_kind: 'counted', content: 'licence', quantity: 3 };
    const { seller, orderId, productId } = await openDispute(counted);
    await decide(platform, orderId, { verdict: 'split', seller_amount: 0.5 });
    const route = `GET /api/v1/products/${productId}/stock`;
    const { body } = await platform.request(route, { key: seller.key });
    expect(body.available).to.equal(2);
  });

  for (const body of [
    { verdict: 'split' },
    { verdict: 'split', seller_amount: 0 },
    { verdict: 'split', seller_amount: 1 },
    { verdict: 'split', seller_amount: 1.1 },
    { verdict: 'split', seller_amount: -0.1 },
    { verdict: 'split', seller_amount: 0.1234567 },
    { verdict: 'split', seller_amount: 0.5, note: '' },
    { verdict: 'split', seller_amount: 0.5, note: ' \u200b ' },
    { verdict: 'refund', seller_amount: 0.5 },
    { verdict: 'release', seller_amount: 0.5 },
    { verdict: 'both' },
    {},
  ]) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const deal = await openDispute();
      const verdict = () => decide(platform, deal.orderId, body);
      await refuses(platform, deal, verdict, [422, 'validation_error']);
      expect((await orderAs(platform, deal.buyer, deal.orderId)).status).to.equal('disputed');
    });
  }

  it('is refused where nothing is disputed', async () => {
    const deal = await openDeal(platform);
    const verdict = () => decide(platform, deal.orderId, { verdict: 'refund' });
    await refuses(platform, deal, verdict, [409, 'invalid_transition']);
    await act(platform, 'dispute_order', { orderId: deal.orderId, key: deal.buyer.key });
    expect((await verdict()).status).to.equal(200);
    await refuses(platform, deal, verdict, [409, 'invalid_transition']);
    const nowhere = () => decide(platform, 2 ** 31 - 1, { verdict: 'refund' });
    await refuses(platform, deal, nowhere, [404, 'not_found']);
  });

  it('is for operators only', async () => {
    const deal = await openDispute();
    const { orderId, buyer, seller } = deal;
    const body = { verdict: 'refund', note: 'I want it so.' };
    for (const [key, refusal] of [
      [buyer.key, [401, 'invalid_key']],
      [seller.key, [401, 'invalid_key']],
      [undefined, [401, 'authentication_required']],
    ] as const) {
      const route = `POST /api/v1/admin/disputes/order/${orderId}/verdict`;
      await refuses(platform, deal, () => platform.request(route, { key, body }), refusal);
    }
    const tool = { tool: 'decide_dispute', params: { order_id: orderId, ...body } };
    const ask = () =>
      platform.request('POST /api/v1/mcp/call', { key: deals.OPERATOR_TOKEN, body: tool });
    expect((await ask()).status).to.equal(401);
    expect((await orderAs(platform, buyer, orderId)).status).to.equal('disputed');
  });
});
