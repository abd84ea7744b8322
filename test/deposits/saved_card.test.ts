import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openCardPlatform, type CardPlatform } from './card_rig.ts';

describe('the saved card of a tree', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  after(async () => {
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
    await card.close();
  });

  it('stays the newest one when an older payment is read again', async () => {
    const agent = await card.platform.agent();
    const shown = async () =>
      (await card.platform.request('GET /api/v1/wallet/auto-recharge', { key: agent.key })).body;
    const older = await card.paid(agent, 5, { save_card: true }, '4242 4242 4242 4242');
    await card.quiet();
    expect((await shown()).card).to.deep.equal({ brand: 'visa', last4: '4242' });
    await card.paid(agent, 1, { save_card: true }, '5555 5555 5555 4444');
    await card.quiet();
    await card.stripe.refunds.create({ payment_intent: older, amount: 300 });
    await card.quiet();
    expect(await card.wallet(agent)).to.include({ cash: 3 });
    expect((await shown()).card).to.deep.equal({ brand: 'mastercard', last4: '4444' });
  });
});
