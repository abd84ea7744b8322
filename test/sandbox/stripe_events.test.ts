// test:all: the own test of a double.
import { expect } from 'chai';
import type Stripe from 'stripe';

import type { StripeControl } from '../../sandbox/stripe/control.ts';
import type { StripeDouble } from '../../sandbox/stripe/double.ts';
import { eventually } from '../local/launcher.ts';
import { openReceiver, openStripe, type Receiver } from './stripe_rig.ts';

describe('events of the Stripe double', () => {
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
  beforeEach(() => {
    receiver.events.length = 0;
  });

  const customer = async () => (await stripe.customers.create({ email: 'ada@example.com' })).id;

  describe('sends events', () => {
    it('again until they are received, signed anew', async () => {
      receiver.fail(2);
      await customer();
      await eventually(() => receiver.events.length === 1);
      const [event] = receiver.events;
      await eventually(
        async () => (await stripe.events.retrieve(event!.id)).pending_webhooks === 0,
      );
      const sent = control.deliveries().filter((delivery) => delivery.event === event!.id);
      expect(sent.map(({ status }) => status)).to.deep.equal([503, 503, 200]);
    });

    it('held back, in any order, and many times at once', async () => {
      control.holdEvents();
      for (const name of ['one', 'two']) await stripe.customers.create({ name });
      expect(receiver.events).to.deep.equal([]);
      await control.releaseEvents({ order: 'newest first' });
      const names = receiver.events.map(({ data }) => (data.object as Stripe.Customer).name);
      expect(names).to.deep.equal(['two', 'one']);

      const event = receiver.events[0]!.id;
      const statuses = await control.sendEvent({ event, times: 20 });
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      expect(receiver.events.filter(({ id }) => id === event)).to.have.length(21);
    });

    it('that a receiver refuses when they are too old, foreign or changed', async () => {
      await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
      await control.settled();
      const event = receiver.events.at(-1)!.id;
      const send = (tampering: object) => control.sendEvent({ event, ...tampering });
      expect(await send({ ageSeconds: 400 })).to.deep.equal([400]);
      expect(await send({ secret: 'whsec_another' })).to.deep.equal([400]);
      expect(await send({ amount: 999_999 })).to.deep.equal([400]);
      expect(receiver.refused[0]).to.match(/Timestamp outside the tolerance zone/);
    });

    it('and lists them by time and type, page by page', async () => {
      const from = Math.floor(Date.now() / 1000) - 1;
      const ids = [await customer(), await customer(), await customer()];
      const found: string[] = [];
      const all = stripe.events.list({ type: 'customer.*', created: { gte: from }, limit: 2 });
      for await (const { data } of all) found.push((data.object as Stripe.Customer).id);
      expect(found).to.include.members(ids);
      expect(found.slice(0, 3)).to.deep.equal(ids.toReversed());
    });
  });
});
