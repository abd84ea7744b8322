import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { openCardPlatform, type CardPlatform } from '../../deposits/card_rig.ts';
import { eventually } from '../../harness.ts';
import { payOn } from '../../sandbox/stripe_rig.ts';
import { owner } from '../browser_like.ts';

describe('the card of an account that is closed', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  after(async () => {
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
    await card.close();
  });

  const cardsOf = async (customer: string) =>
    (await card.stripe.paymentMethods.list({ customer, type: 'card' })).data.length;
  const saved = () => card.platform.query('select last4 from saved_card');

  it('is removed at Stripe too, again if Stripe fails, and none is saved later', async () => {
    const { browser, agent } = await owner(card.platform);
    await card.paid(agent, 0.5, { save_card: true });
    await card.quiet();
    const exported = await browser.submit(
      await browser.get('/console/account'),
      '/console/account/export',
    );
    expect(JSON.parse(exported.text).saved_cards.items[0]).to.include({ last4: '4242' });
    const ids = 'select customer_id, method_id from saved_card where root_id = $1';
    const [{ customer_id: customer, method_id: method }] = await card.platform.query(ids, [
      agent.id,
    ]);
    expect(await cardsOf(customer)).to.equal(1);
    const late = await card.topUp(agent, 0.6, { save_card: true });
    // A page lives for a day at Stripe, by the clock of Stripe.
    await card.platform.query(
      `update card_payment set created_at = created_at - interval '25 hours' where session_id = $1`,
      [late.session_id],
    );
    const request = `POST /v1/payment_methods/${method}/detach`;
    card.control.interrupt({ request, how: 'server error' });
    const closed = await browser.post('/console/account/closing', { name: agent.username });
    expect(closed.status, closed.text).to.equal(200);
    expect(await saved()).to.deep.equal([]);
    await eventually(
      () => cardsOf(customer),
      (cards) => cards === 0,
    );

    expect((await payOn(late.checkout_url, '5555 5555 5555 4444')).status).to.equal('paid');
    await card.quiet();
    await eventually(
      () => cardsOf(customer),
      (cards) => cards === 0,
    );
    expect(await saved()).to.deep.equal([]);
    const jobs = `select operation from job where operation = 'forget_cards'`;
    expect(await card.platform.query(jobs)).to.have.length(2);
    const sql = 'select cash::int from ledger.treasury where id = $1';
    expect(await card.platform.query(sql, [agent.id])).to.deep.equal([{ cash: 1_100_000 }]);
  });
});
