import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { runTimer } from '../orders/trade.ts';
import { openCardPlatform, type CardPlatform } from './card_rig.ts';

describe('disputes of payments by card', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  afterEach(async () => {
    await card.control.releaseEvents();
    await card.quiet();
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
  });
  after(() => card.close());

  async function paid(amount = 10) {
    const agent = await card.platform.agent();
    const payment = await card.paid(agent, amount);
    await card.quiet();
    const cash = async () => {
      await card.quiet();
      return (await card.wallet(agent)).cash as number;
    };
    expect(await cash()).to.equal(amount);
    return { payment, cash };
  }
  const reconcile = async () => {
    const [found] = await runTimer(card.platform, 'reconcile_card_payments');
    return found as { differing: number; unknown: number };
  };

  it('take nothing as inquiries, and the money when they become chargebacks', async () => {
    const { payment, cash } = await paid();
    const status = 'warning_needs_response';
    const { id } = card.control.chargeback({ payment_intent: payment, amount: 400, status });
    expect(await cash()).to.equal(10);
    card.control.closeDispute({ dispute: id, status: 'needs_response' });
    expect(await cash()).to.equal(6);
    card.control.closeDispute({ dispute: id, status: 'lost' });
    expect(await cash()).to.equal(6);
  });

  it('take nothing when an inquiry is closed, or a dispute is prevented', async () => {
    const { payment, cash } = await paid();
    const status = 'warning_needs_response';
    const { id } = card.control.chargeback({ payment_intent: payment, status });
    card.control.closeDispute({ dispute: id, status: 'warning_closed' });
    expect(await cash()).to.equal(10);
    const other = await paid();
    card.control.chargeback({ payment_intent: other.payment, status: 'prevented' });
    expect(await other.cash()).to.equal(10);
    expect(await reconcile()).to.include({ differing: 0 });
  });

  it('give the money back when an appeal is won', async () => {
    const { payment, cash } = await paid();
    const { id } = card.control.chargeback({ payment_intent: payment });
    card.control.closeDispute({ dispute: id, status: 'lost' });
    expect(await cash()).to.equal(0);
    card.control.closeDispute({ dispute: id, status: 'appeal_under_review' });
    expect(await cash()).to.equal(0);
    card.control.closeDispute({ dispute: id, status: 'won' });
    expect(await cash()).to.equal(10);
  });

  it('count what left our balance, not an amount in the currency of the card', async () => {
    const { payment, cash } = await paid();
    // 150 yen are no dollar and a half.
    card.control.chargeback({ payment_intent: payment, amount: 150, currency: 'jpy' });
    expect(await cash()).to.equal(0);
  });

  for (const [what, lose] of [
    ['its event was lost', () => undefined],
    ['Stripe lists no event of it any more', () => card.control.forgetEvents()],
  ] as const) {
    it(`are found when ${what}, however old the payment is`, async () => {
      const { payment, cash } = await paid();
      card.control.age({ payment_intent: payment, days: 100 });
      await card.platform.query(
        `update card_payment set created_at = created_at - interval '100 days'
          where payment_id = $1`,
        [payment],
      );
      await reconcile();
      card.control.holdEvents();
      const { id } = card.control.chargeback({ payment_intent: payment, amount: 700 });
      lose();
      expect(await cash()).to.equal(10);
      expect(await reconcile()).to.include({ differing: 1, unknown: 0 });
      expect(await cash()).to.equal(3);
      card.control.closeDispute({ dispute: id, status: 'won' });
      lose();
      expect(await reconcile()).to.include({ differing: 1 });
      expect(await cash()).to.equal(10);
      expect(await reconcile()).to.include({ differing: 0 });
    });
  }
});
