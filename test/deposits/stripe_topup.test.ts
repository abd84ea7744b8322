import { expect } from 'chai';

import { readCardPayment } from '../../shared/domains/deposits/card/read_card_payment.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { meet, runTimer } from '../orders/trade.ts';
import { payOn } from '../sandbox/stripe_rig.ts';
import { railOf } from './paid_in.ts';
import { OLD_SECRET, openCardPlatform, type CardPlatform } from './card_rig.ts';

describe('stripe_topup', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  afterEach(async () => {
    await card.quiet();
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
  });
  after(() => card.close());

  const events = async (paymentId: string) => {
    const { data } = await card.stripe.events.list({ limit: 100 });
    return data.filter(({ data: { object } }) => {
      const of = object as { id?: string; payment_intent?: string };
      return of.id === paymentId || of.payment_intent === paymentId;
    });
  };

  it('opens a page, and what is paid there is in the wallet', async () => {
    const agent = await card.platform.agent();
    const topup = await card.topUp(agent, 12.5);
    expect(topup.amount).to.equal(12.5);
    expect((await payOn(topup.checkout_url, '4000 0000 0000 0002')).status).to.equal('refused');
    expect((await payOn(topup.checkout_url, '4242 4242 4242 4242')).status).to.equal('paid');
    const wallet = await eventually(
      () => card.wallet(agent),
      ({ cash }) => cash > 0,
    );
    expect(wallet).to.include({ cash: 12.5, settled_inflow: 12.5 });
    expect(wallet.deposit_methods[0]).to.deep.equal({
      rail: 'card',
      enabled: true,
      network: 'sandbox',
    });
  });

  it('is what helps who has too little money', async () => {
    const { buyer, product } = await meet(card.platform, { usd: 0, price: 5 });
    const refused = await card.platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: product.id },
    });
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(refused.body.next_actions).to.deep.equal([
      { tool: 'get_wallet', route: 'GET /api/v1/wallet', scope: 'read' },
      { tool: 'stripe_topup', route: 'POST /api/v1/wallet/topup', scope: 'buy' },
    ]);
  });

  it('refuses fractions of a cent, and what Stripe would not take', async () => {
    const { key } = await card.platform.agent();
    for (const amount of [0.49, 1.001, 10_000.01]) {
      const reply = await card.platform.request('POST /api/v1/wallet/topup', {
        key,
        body: { amount },
      });
      expect(reply.status, String(amount)).to.equal(422);
      expect(reply.body.details.fields[0].pointer).to.equal('/amount');
    }
  });

  it('opens one page for one Idempotency-Key, also when Stripe was not heard', async () => {
    const { key } = await card.platform.agent();
    // Stripe's SDK asks a second time by itself, with a key of its own for both.
    card.control.interrupt({
      request: 'POST /v1/checkout/sessions',
      how: 'answer lost',
      times: 2,
    });
    const reply = await card.platform.request('POST /api/v1/wallet/topup?wait=20', {
      key,
      body: { amount: 3 },
      headers: { 'idempotency-key': 'once' },
    });
    expect(reply.status).to.equal(200);
    const { data } = await card.stripe.checkout.sessions.list({ limit: 100 });
    expect(data.filter(({ amount_total }) => amount_total === 300)).to.have.length(1);
  });

  it('credits once what is told a hundred times at once, in any order', async () => {
    const agent = await card.platform.agent();
    card.control.holdEvents();
    const payment = await card.paid(agent, 5);
    const told = await events(payment);
    expect(told.map(({ type }) => type)).to.include.members([
      'checkout.session.completed',
      'payment_intent.succeeded',
    ]);
    const sent = told
      .toReversed()
      .map(({ id: event }) =>
        card.control.sendEvent({ event, times: Math.ceil(100 / told.length) }),
      );
    const statuses = (await Promise.all(sent)).flat();
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    await card.control.releaseEvents({ order: 'newest first' });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 5, owed: 0 });
    const [{ deposits }] = await card.platform.query(
      'select count(*)::int as deposits from deposit where tx_id = $1',
      [payment],
    );
    expect(deposits).to.equal(1);
  });

  it('believes no event that is late, changed, or signed by another', async () => {
    const agent = await card.platform.agent();
    card.control.holdEvents();
    const payment = await card.paid(agent, 5);
    const event = (await events(payment))[0]!.id;
    for (const tampering of [
      { ageSeconds: 400 },
      { secret: 'whsec_foreign' },
      { amount: 99_900 },
    ]) {
      const statuses = await card.control.sendEvent({ event, ...tampering });
      expect(statuses, JSON.stringify(tampering)).to.deep.equal([400]);
    }
    const unsigned = await card.platform.request('POST /webhooks/stripe', { body: { id: event } });
    expect(unsigned.status).to.equal(400);
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 0 });
    expect(await card.control.sendEvent({ event, secret: OLD_SECRET })).to.deep.equal([200]);
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 5 });
    await card.control.releaseEvents();
  });

  it('credits nothing for payments that others make at the same Stripe account', async () => {
    const session = await card.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 700, product_data: { name: 'A shirt' } },
        },
      ],
      success_url: 'http://localhost/',
    });
    await payOn(session.url!, '4242 4242 4242 4242');
    await card.quiet();
    const found = await card.platform.query('select from deposit where usd = 7000000');
    expect(found).to.have.length(0);
  });

  it('takes back what is refunded and charged back, and gives back what the bank returns', async () => {
    const agent = await card.platform.agent();
    const payment = await card.paid(agent, 10);
    await card.quiet();
    await card.stripe.refunds.create({ payment_intent: payment, amount: 300 });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 7, settled_inflow: 7 });
    const dispute = card.control.chargeback({ payment_intent: payment, amount: 700 });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 0, owed: 0 });
    card.control.closeDispute({ dispute: dispute.id, status: 'won' });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 7, settled_inflow: 7 });
  });

  it('does not believe a reading that is older than one that was recorded, nor yen', async () => {
    const agent = await card.platform.agent();
    const payment_id = await card.paid(agent, 10);
    await card.quiet();
    await card.stripe.refunds.create({ payment_intent: payment_id, amount: 300 });
    await card.quiet();
    const [{ id, reads }] = await card.platform.query(
      'select id, reads from card_payment where payment_id = $1',
      [payment_id],
    );
    const old = { id: payment_id, cardPaymentId: id, currency: 'usd', received: 1000 };
    const facts = {
      payment: { ...old, status: 'paid' as const, takenBack: 0 },
      reads: reads - 1,
    };
    const { inTx } = railOf(() => card.platform);
    const done = await inTx((tx) => readCardPayment.handle(tx, { payment_id }, facts));
    expect(done).to.deep.equal({ outcome: 'outdated' });
    const yen = { payment: { ...facts.payment, currency: 'jpy' }, reads };
    const other = await inTx((tx) => readCardPayment.handle(tx, { payment_id }, yen));
    expect(other).to.deep.equal({ outcome: 'foreign' });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 7 });
  });

  it('credits what no event told of, when payments are compared', async () => {
    const agent = await card.platform.agent();
    card.control.holdEvents();
    const payment = await card.paid(agent, 8);
    const [found] = await runTimer(card.platform, 'reconcile_card_payments');
    expect(found).to.include({ differing: 1, unknown: 0 });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 8 });
    await card.stripe.refunds.create({ payment_intent: payment });
    const [after] = await runTimer(card.platform, 'reconcile_card_payments');
    expect(after).to.include({ differing: 1 });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 0, owed: 0 });
    const [last] = await runTimer(card.platform, 'reconcile_card_payments');
    expect(last).to.include({ differing: 0, unknown: 0 });
    await card.control.releaseEvents();
  });

  it('says when a deposit is of no payment that Stripe knows, and credits it to nobody', async () => {
    const agent = await card.platform.agent();
    const payment = await card.paid(agent, 4);
    await card.quiet();
    await card.platform.query(
      `update deposit set credited_at = now() - interval '1 hour' where tx_id = $1`,
      [payment],
    );
    const rename = async (from: string, to: string) => {
      await card.platform.query('update deposit set tx_id = $2 where tx_id = $1', [from, to]);
      const sql = 'update card_payment set payment_id = $2 where payment_id = $1';
      await card.platform.query(sql, [from, to]);
    };
    await rename(payment, 'pi_unknown');
    const [found] = await runTimer(card.platform, 'reconcile_card_payments');
    await card.quiet();
    expect(found).to.include({ differing: 1, unknown: 1 });
    expect(await card.wallet(agent)).to.include({ cash: 4 });
    await rename('pi_unknown', payment);
  });

  it('says what is not set where there are no cards', async () => {
    const bare = await TestPlatform.open();
    const { key } = await bare.agent();
    const refused = await bare.request('POST /api/v1/wallet/topup', { key, body: { amount: 5 } });
    expect(refused.status).to.equal(503);
    expect(refused.body).to.deep.include({ error: 'rail_unavailable', retryable: false });
    expect(refused.body.details).to.deep.equal({
      rail: 'card',
      settings: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
    });
    expect((await bare.request('POST /webhooks/stripe', { body: {} })).status).to.equal(503);
    await bare.close();
  });
});
