// test:all: the own test of a double.
import { expect } from 'chai';
import Stripe from 'stripe';

import type { StripeControl } from '../../sandbox/stripe/control.ts';
import type { StripeDouble } from '../../sandbox/stripe/double.ts';
import {
  later,
  openReceiver,
  openStripe,
  type Receiver,
  refusalOf,
  savedCard,
  sdkOf,
} from './stripe_rig.ts';
import { patience } from '../platform/pace.ts';

describe('payments of the Stripe double', () => {
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

  describe('charges saved cards without their owner', () => {
    it('once', async () => {
      const intent = await stripe.paymentIntents.create(
        later(await savedCard(stripe, 'pm_card_visa')),
      );
      expect(intent).to.include({ status: 'succeeded', amount_received: 500 });
      expect(control.charges({ payment_intent: intent.id })).to.have.length(1);
    });

    const declines = [
      ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
      ['pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
    ] as const;
    for (const [token, code, decline_code] of declines) {
      it(`and is refused by ${token}, with the payment in the error`, async () => {
        const error = await refusalOf(
          stripe.paymentIntents.create(later(await savedCard(stripe, token))),
        );
        expect(error).to.be.instanceOf(Stripe.errors.StripeCardError);
        expect(error).to.include({ statusCode: 402, code, decline_code });
        expect(error.payment_intent).to.include({
          status: 'requires_payment_method',
          payment_method: null,
        });
        await control.settled();
        expect(receiver.events.map(({ type }) => type)).to.include('payment_intent.payment_failed');
      });
    }

    it('until the bank declines the card', async () => {
      const saved = await savedCard(stripe, 'pm_card_visa');
      control.declineCard({ payment_method: saved.payment_method, as: 'lost_card' });
      const error = await refusalOf(stripe.paymentIntents.create(later(saved)));
      expect(error).to.include({ decline_code: 'lost_card' });
      control.declineCard({ payment_method: saved.payment_method });
      expect(await stripe.paymentIntents.create(later(saved))).to.include({ status: 'succeeded' });
    });

    it('of the customer only', async () => {
      const { id: customer } = await stripe.customers.create();
      const saved = { ...(await savedCard(stripe, 'pm_card_visa')), customer };
      const error = await refusalOf(stripe.paymentIntents.create(later(saved)));
      expect(error.message).to.match(/attached to another Customer/);
    });
  });

  describe('keeps idempotency keys', () => {
    it('so that the same request acts once and has the same answer, also when it was declined', async () => {
      const saved = await savedCard(stripe, 'pm_card_visa');
      const pay = () => stripe.paymentIntents.create(later(saved), { idempotencyKey: 'one' });
      const [first, second] = [await pay(), await pay()];
      expect(second.id).to.equal(first.id);
      expect(first.lastResponse.headers).not.to.have.property('idempotent-replayed');
      expect(second.lastResponse.headers['idempotent-replayed']).to.equal('true');
      expect(control.charges({ payment_intent: first.id })).to.have.length(1);

      const bad = later(await savedCard(stripe, 'pm_card_chargeCustomerFail'));
      const charges = control.charges().length;
      for (const _ of [1, 2]) {
        const error = await refusalOf(stripe.paymentIntents.create(bad, { idempotencyKey: 'two' }));
        expect(error).to.include({ code: 'card_declined' });
      }
      expect(control.charges()).to.have.length(charges + 1);
    });

    it('and refuses one with other parameters', async () => {
      const saved = await savedCard(stripe, 'pm_card_visa');
      await stripe.paymentIntents.create(later(saved), { idempotencyKey: 'three' });
      const other = stripe.paymentIntents.create(later(saved, 501), { idempotencyKey: 'three' });
      expect(await refusalOf(other)).to.be.instanceOf(Stripe.errors.StripeIdempotencyError);
    });
  });

  describe('gives back', () => {
    const paid = async () =>
      stripe.paymentIntents.create(later(await savedCard(stripe, 'pm_card_visa')));

    it('by refunds, never more than was paid', async () => {
      const { id: payment_intent } = await paid();
      const some = await stripe.refunds.create({ payment_intent, amount: 200 });
      expect(some).to.include({ status: 'succeeded', amount: 200, payment_intent });
      const tooMuch = await refusalOf(stripe.refunds.create({ payment_intent, amount: 400 }));
      expect(tooMuch.message).to.equal(
        'Refund amount ($4.00) is greater than unrefunded amount on charge ($3.00)',
      );
      await stripe.refunds.create({ payment_intent });
      const again = await refusalOf(stripe.refunds.create({ payment_intent }));
      expect(again).to.include({ code: 'charge_already_refunded' });
      const { data } = await stripe.refunds.list({ payment_intent });
      expect(data.map(({ amount }) => amount)).to.deep.equal([300, 200]);
      await control.settled();
      expect(receiver.events.filter(({ type }) => type === 'charge.refunded')).to.have.length(2);
    });

    it('by chargebacks, which may be won', async () => {
      const { id: payment_intent } = await paid();
      const { id } = control.chargeback({ payment_intent });
      expect(await stripe.disputes.retrieve(id)).to.include({
        status: 'needs_response',
        amount: 500,
        payment_intent,
      });
      const refund = await refusalOf(stripe.refunds.create({ payment_intent }));
      expect(refund).to.include({ code: 'charge_disputed' });
      control.closeDispute({ dispute: id, status: 'won' });
      expect((await stripe.disputes.list({ payment_intent })).data[0]).to.include({
        status: 'won',
      });
      await control.settled();
      expect(receiver.events.map(({ type }) => type)).to.include.members([
        'charge.dispute.created',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.closed',
        'charge.dispute.funds_reinstated',
      ]);
    });
  });

  describe('fails on request', () => {
    const request = 'POST /v1/payment_intents';
    const attempt = async (timeoutMs?: number) => {
      const saved = later(await savedCard(stripe, 'pm_card_visa'));
      const charges = control.charges().length;
      const sdk = sdkOf(double, undefined, timeoutMs);
      const call = () => sdk.paymentIntents.create(saved, { idempotencyKey: saved.customer! });
      return { call, charged: () => control.charges().length - charges };
    };

    for (const [how, charges, times] of [
      ['disconnected', 0, 2],
      ['no answer', 0, 1],
      ['answer lost', 1, 2],
      ['answer delayed', 1, 1],
    ] as const) {
      it(`${how}: the card is charged ${charges} times, and once after the same request again`, async () => {
        const { call, charged } = await attempt(patience(300));
        // After a closed connection the SDK sends a request once more by itself.
        control.interrupt({ request, how, times });
        expect(await refusalOf(call())).to.be.instanceOf(Stripe.errors.StripeConnectionError);
        expect(charged()).to.equal(charges);
        expect(await call()).to.include({ status: 'succeeded' });
        expect(charged()).to.equal(1);
      });
    }

    it('as a server in trouble, and as a busy one', async () => {
      const { call, charged } = await attempt();
      control.interrupt({ request, how: 'server error' });
      expect(await refusalOf(call())).to.be.instanceOf(Stripe.errors.StripeAPIError);
      control.interrupt({ request, how: 'rate limit' });
      expect(await refusalOf(call())).to.be.instanceOf(Stripe.errors.StripeRateLimitError);
      expect(charged()).to.equal(0);
    });

    it('also over HTTP, for those who have its key', async () => {
      const { id } = await stripe.paymentIntents.create(
        later(await savedCard(stripe, 'pm_card_visa')),
      );
      const chargeback = (key: string) =>
        fetch(`${double.url}/sandbox/chargeback`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
          body: JSON.stringify({ payment_intent: id }),
        });
      expect((await chargeback('sk_test_another')).status).to.equal(401);
      const answer = await chargeback('sk_test_of_the_tests');
      expect(await answer.json()).to.include({ object: 'dispute', payment_intent: id });
    });
  });
});
