// test:all: the own test of a double.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import Stripe from 'stripe';

import type { StripeControl } from '../../sandbox/stripe/control.ts';
import type { StripeDouble } from '../../sandbox/stripe/double.ts';
import {
  later,
  openReceiver,
  openStripe,
  payOn,
  postTo,
  type Receiver,
  refusalOf,
  sdkOf,
  SESSION,
} from './stripe_rig.ts';

describe('the Stripe double', () => {
  let receiver: Receiver;
  let double: StripeDouble;
  let control: StripeControl;
  let stripe: Stripe;

  before(async () => {
    receiver = await openReceiver();
    ({ double, control, stripe } = await openStripe(receiver));
  });
  after(async () => {
    await double.close();
    await receiver.close();
  });

  const customer = async () => (await stripe.customers.create({ email: 'ada@example.com' })).id;

  describe('checks requests by the types of the SDK', () => {
    const wrong: [string, object, Record<string, string>][] = [
      [
        'Received unknown parameter: line_items[0][price_data][unit_amnt]',
        {
          ...SESSION,
          line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amnt: 5 } }],
        },
        { code: 'parameter_unknown', param: 'line_items[0][price_data][unit_amnt]' },
      ],
      [
        'Invalid mode: must be one of payment, setup, or subscription',
        { ...SESSION, mode: 'paymnt' },
        { param: 'mode' },
      ],
      ['Missing required param: line_items.', { ...SESSION, line_items: undefined }, {}],
      [
        'Invalid integer: ten',
        { ...SESSION, expires_at: 'ten' },
        { code: 'parameter_invalid_integer', param: 'expires_at' },
      ],
      [
        'The sandbox does not support the parameter discounts, which Stripe has.',
        { ...SESSION, discounts: [{ coupon: 'x' }] },
        { param: 'discounts' },
      ],
    ];
    for (const [message, parameters, more] of wrong) {
      it(message, async () => {
        const error = await refusalOf(stripe.checkout.sessions.create(parameters));
        expect(error).to.be.instanceOf(Stripe.errors.StripeInvalidRequestError);
        expect(error).to.include({ statusCode: 400, message, ...more });
      });
    }

    it('and refuses payments under 50 cents, unknown objects and foreign keys', async () => {
      const small = stripe.paymentIntents.create({ amount: 49, currency: 'usd' });
      expect(await refusalOf(small)).to.include({
        code: 'amount_too_small',
        message: 'Amount must be at least $0.50 usd',
      });
      const unknown = stripe.customers.retrieve('cus_none');
      expect(await refusalOf(unknown)).to.include({
        statusCode: 404,
        code: 'resource_missing',
        message: "No such customer: 'cus_none'",
      });
      const foreign = sdkOf(double, 'sk_test_another').customers.create();
      expect(await refusalOf(foreign)).to.be.instanceOf(Stripe.errors.StripeAuthenticationError);
    });
  });

  describe('has a pay page', () => {
    it('where a test card pays a Checkout Session and is saved for later', async () => {
      const session = await stripe.checkout.sessions.create({
        ...SESSION,
        customer: await customer(),
        metadata: { deposit: '12' },
        payment_intent_data: { setup_future_usage: 'off_session', metadata: { deposit: '12' } },
      });
      expect(session).to.include({ status: 'open', payment_status: 'unpaid', amount_total: 2_000 });
      const page = await fetch(session.url!);
      expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'");
      const html = await page.text();
      for (const part of ['$20.00', 'Top-up', '4242 4242 4242 4242', '4000 0025 0000 3155']) {
        expect(html).to.contain(part);
      }
      expect(html)
        .to.match(/play money/)
        .and.not.match(/<script/);

      expect(await payOn(session.url!, '4242 4242 4242 4242')).to.deep.equal({
        status: 'paid',
        message: 'Paid.',
        next: `http://localhost/paid?session=${session.id}`,
      });
      const paid = await stripe.checkout.sessions.retrieve(session.id, {
        expand: ['payment_intent.latest_charge'],
      });
      expect(paid).to.include({
        status: 'complete',
        payment_status: 'paid',
        client_reference_id: 'agent 7',
        url: null,
      });
      const intent = paid.payment_intent as Stripe.PaymentIntent;
      expect(intent).to.include({ status: 'succeeded', amount_received: 2_000 });
      expect(intent.metadata).to.deep.equal({ deposit: '12' });
      expect(intent.latest_charge).to.include({ paid: true, amount: 2_000 });
      const saved = await stripe.paymentMethods.list({ customer: paid.customer as string });
      expect(saved.data.map(({ card }) => card!.last4)).to.deep.equal(['4242']);

      await control.settled();
      const types = receiver.events.map(({ type }) => type);
      expect(types).to.include.members(['payment_intent.succeeded', 'checkout.session.completed']);
      const again = { method: 'POST', body: 'number=4242424242424242&expiry=1234&cvc=123' };
      expect(await (await fetch(session.url!, again)).text()).to.contain('This payment is made.');
      expect(control.charges({ payment_intent: intent.id })).to.have.length(1);
    });

    it('for browsers: it leads back to the shop, and says on the page why a card was declined', async () => {
      const { url, id } = await stripe.checkout.sessions.create(SESSION);
      const post = (number: string) =>
        fetch(url!, {
          method: 'POST',
          body: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123' }),
          redirect: 'manual',
        });
      const declined = await post('4000 0000 0000 0002');
      expect(declined.status).to.equal(402);
      expect(await declined.text()).to.contain('role="alert">Your card was declined.');
      const paid = await post('4242424242424242');
      expect(paid.status).to.equal(303);
      expect(paid.headers.get('location')).to.equal(`http://localhost/paid?session=${id}`);
    });

    const declines: [string, string][] = [
      ['4000 0000 0000 0002', 'Your card was declined.'],
      ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
      ['4000 0000 0000 0069', 'Your card has expired.'],
      ['4242 4242 4242 4241', 'Your card number is invalid.'],
      [
        '4111 1111 1111 1111',
        'Your card was declined. Your request was in test mode, but used a non test card.',
      ],
    ];
    for (const [number, message] of declines) {
      it(`refuses ${number}: ${message}`, async () => {
        const session = await stripe.checkout.sessions.create(SESSION);
        const outcome = await payOn(session.url!, number);
        expect(outcome.status).to.equal('refused');
        expect(outcome.message).to.contain(message);
        const { status, payment_status } = await stripe.checkout.sessions.retrieve(session.id);
        expect({ status, payment_status }).to.deep.equal({
          status: 'open',
          payment_status: 'unpaid',
        });
      });
    }

    it('asks for 3-D Secure, which may be refused and then accepted', async () => {
      const session = await stripe.checkout.sessions.create({
        ...SESSION,
        customer: await customer(),
        payment_intent_data: { setup_future_usage: 'off_session' },
      });
      const challenge = `${session.url}/authentication`;
      expect(await payOn(session.url!, '4000 0025 0000 3155')).to.include({ status: 'asks' });
      expect(await (await fetch(session.url!)).text()).to.contain('No, refuse it');
      const refused = await postTo(challenge, { answer: 'refuse' });
      expect(refused.message).to.match(/^We are unable to authenticate your payment method/);
      expect(await (await fetch(session.url!)).text()).to.contain('unable to authenticate');

      await payOn(session.url!, '4000 0025 0000 3155');
      expect(await postTo(challenge, { answer: 'accept' })).to.include({ status: 'paid' });
      const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
      const { payment_method, customer: owner } = await stripe.paymentIntents.retrieve(
        payment_intent as string,
      );
      const saved = { customer: owner as string, payment_method: payment_method as string };
      expect(await stripe.paymentIntents.create(later(saved))).to.include({ status: 'succeeded' });
    });

    it('closes when the session expires', async () => {
      const { id, url } = await stripe.checkout.sessions.create(SESSION);
      await stripe.checkout.sessions.expire(id);
      expect((await fetch(url!)).status).to.equal(410);
      const again = await refusalOf(stripe.checkout.sessions.expire(id));
      expect(again.message).to.match(/^Only Checkout Sessions with a status in \["open"\]/);
    });
  });

  it('has everything after it was killed, also with half a line, and no card number', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
    const file = join(folder, 'stripe.jsonl');
    const first = await openStripe(undefined, { file });
    const session = await first.stripe.checkout.sessions.create(SESSION);
    await payOn(session.url!, '4242424242424242');
    await first.double.close();
    expect(readFileSync(file, 'utf8')).not.to.contain('4242424242424242');
    writeFileSync(file, '{"id":"cus_cut","obj', { flag: 'a' });

    const second = await openStripe(undefined, { file });
    const found = await second.stripe.checkout.sessions.retrieve(session.id);
    expect(found).to.include({ payment_status: 'paid' });
    expect(second.control.charges()).to.have.length(1);
    await second.double.close();
    rmSync(folder, { recursive: true });
  });
});
