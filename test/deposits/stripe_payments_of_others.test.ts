import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { payOn } from '../sandbox/stripe_rig.ts';
import { openCardPlatform, type CardPlatform } from './card_rig.ts';

describe('a payment at Stripe that names a page of ours', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  after(async () => {
    await card.quiet();
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
    await card.close();
  });

  /** Somebody with a key of the same account makes it, in cents. */
  async function payAs(cardPayment: string, cents: number): Promise<void> {
    const session = await card.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'A shirt' } },
        },
      ],
      payment_intent_data: { metadata: { card_payment: cardPayment } },
      success_url: 'http://localhost/',
    });
    await payOn(session.url!, '4242 4242 4242 4242');
    await card.quiet();
  }

  it('is credited neither where it is more than was asked for, nor beside the one of that page', async () => {
    const agent = await card.platform.agent();
    const { checkout_url, session_id } = await card.topUp(agent, 5);
    const sql = 'select id from card_payment where session_id = $1';
    const [{ id }] = await card.platform.query(sql, [session_id]);
    await payAs(id, 501);
    expect(await card.wallet(agent)).to.include({ cash: 0 });
    await payOn(checkout_url, '4242 4242 4242 4242');
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 5 });
    await payAs(id, 500);
    expect(await card.wallet(agent)).to.include({ cash: 5, settled_inflow: 5 });
  });
});
