import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { openStripeDouble, type StripeDouble } from '../../sandbox/stripe/double.ts';
import type { CardGateway } from '../../shared/domains/deposits/card/card_gateway.ts';
import { openStripe } from '../../workers/gateways/stripe/stripe.ts';
import { textOf } from '../documents/marketplace.ts';
import { payOn, RIG_KEY } from '../sandbox/stripe_rig.ts';

type Access = 'read' | 'write';

/** The table of permissions on the page. */
function listed(): Record<string, Access> {
  const [, table = ''] = textOf('docs/rails/card.md').split('| permission of the key |');
  const lines = table.split('\n\n')[0]!.matchAll(/^\| ([A-Z][\w ]+?) +\| (read|write) +\|/gm);
  return Object.fromEntries([...lines].map(([, name, access]) => [name!, access as Access]));
}

describe('a restricted key of Stripe', () => {
  const given: Record<string, Access> = {};
  let double: StripeDouble;
  let card: CardGateway;
  before(async () => {
    double = await openStripeDouble({ key: RIG_KEY, permissions: given });
    card = openStripe({
      secretKey: RIG_KEY,
      webhookSecrets: [],
      apiBase: double.url,
      network: 'sandbox',
    });
  });
  after(() => double.close());

  const allow = (permissions: Record<string, Access>) => {
    for (const name of Object.keys(given)) delete given[name];
    Object.assign(given, permissions);
  };

  /** Every request of ours, in all its forms. */
  async function useAll(): Promise<void> {
    const since = new Date(Date.now() - 60_000);
    const page = {
      cents: 500,
      agentId: 1,
      customerId: undefined,
      savesCard: true,
      returnUrl: 'http://localhost/paid',
    };
    const { url } = await card.openCheckout({ ...page, cardPaymentId: randomUUID() });
    await payOn(url, '4242 4242 4242 4242');
    const [payment] = await card.listPayments(since);
    const { customerId, methodId } = payment!.savedCard!;
    await card.openCheckout({ ...page, customerId, cardPaymentId: randomUUID() });
    const charge = { cardPaymentId: randomUUID(), cents: 300, customerId, methodId };
    expect(await card.chargeSavedCard(charge)).to.have.property('payment');
    expect(await card.findCharge({ ...charge, since })).to.have.property('payment');
    double.control.chargeback({ payment_intent: payment!.id });
    expect((await card.readPayment(payment!.id))!.takenBack).to.equal(500);
    const to = new Date(Date.now() + 60_000);
    expect(await card.listChanges({ from: since, to })).to.have.length.above(0);
    expect(await card.forgetCards(customerId)).to.equal(1);
  }

  it('does all that is asked of it with the permissions that the page lists', async () => {
    expect(Object.keys(listed())).to.have.length.above(5);
    allow(listed());
    await useAll();
  });

  it('needs each of them', async () => {
    for (const [name, access] of Object.entries(listed())) {
      const { [name]: _, ...others } = listed();
      allow(access === 'write' ? { ...others, [name]: 'read' } : others);
      const fault = await useAll().then(
        () => 'none',
        (error: unknown) => String(error),
      );
      expect(fault, name).to.contain('Stripe answered 403');
    }
  });
});
