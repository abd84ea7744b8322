import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { chargeSavedCard } from '../../shared/domains/deposits/card/charge_saved_card.ts';
import { childOf } from '../agents/child.ts';
import { eventually } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { runTimer } from '../orders/trade.ts';
import { payOn } from '../sandbox/stripe_rig.ts';
import { suspend } from '../suspend.ts';
import { openCardPlatform, type CardPlatform } from './card_rig.ts';
import { railOf } from './paid_in.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('auto-recharge', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  afterEach(async () => {
    await card.quiet();
    expect(await audit(card.platform.context.database)).to.deep.equal([]);
  });
  after(() => card.close());

  const rail = railOf(() => card.platform);
  const set = async ({ key }: Agent, body: object) =>
    card.platform.request('PUT /api/v1/wallet/auto-recharge', { key, body });
  const shown = async ({ key }: Agent) =>
    (await card.platform.request('GET /api/v1/wallet/auto-recharge', { key })).body;
  const eventsOf = async ({ key }: Agent, type: string) =>
    (await card.platform.request('GET /api/v1/events', { key })).body.events.filter(
      (event: { type: string }) => event.type === type,
    );
  const chargesOf = async ({ id }: Agent) =>
    card.platform.query('select * from recharge where root_id = $1 order by created_at', [id]);

  /** An agent that has paid $1 with a card that is kept. */
  async function payer(number = '4242 4242 4242 4242'): Promise<Agent> {
    const agent = await card.platform.agent();
    await card.paid(agent, 1, { save_card: true }, number);
    await card.quiet();
    return agent;
  }
  const recharge = async () => {
    await runTimer(card.platform, 'recharge_wallets');
    await card.quiet();
  };
  /** The time of the next attempt comes. */
  const wait = ({ id }: Agent) =>
    card.platform.query('update auto_recharge set not_before = now() where root_id = $1', [id]);

  it('charges the saved card once when the balance is below, and not when it is above', async () => {
    const agent = await payer();
    const reply = await set(agent, { enabled: true, threshold: 2, amount: 10 });
    expect(reply.status).to.equal(200);
    expect(reply.body).to.deep.include({ enabled: true, threshold: 2, amount: 10 });
    expect(reply.body.card).to.deep.equal({ brand: 'visa', last4: '4242' });
    await Promise.all([recharge(), recharge()]);
    await eventually(
      () => card.wallet(agent),
      ({ cash }) => cash === 11,
    );
    await recharge();
    const [one, ...others] = await chargesOf(agent);
    expect(others).to.deep.equal([]);
    expect(one.status).to.equal('paid');
    expect(await shown(agent)).to.include({ charged_this_month: 10, off_because: null });
    expect((await card.wallet(agent)).auto_recharge).to.deep.equal({
      enabled: true,
      threshold: 2,
      amount: 10,
    });

    await set(agent, { enabled: true, threshold: 11.5, amount: 10 }); // What it holds.
    await recharge();
    expect(await chargesOf(agent)).to.have.length(1);
  });

  it('keeps the card that pays after one that was declined', async () => {
    const agent = await card.platform.agent();
    const { checkout_url } = await card.topUp(agent, 1, { save_card: true });
    expect((await payOn(checkout_url, '4000 0000 0000 0002')).status).to.equal('refused');
    await card.quiet(); // What was declined is read before anything is paid.
    expect((await payOn(checkout_url, '5555 5555 5555 4444')).status).to.equal('paid');
    await card.quiet();
    expect((await shown(agent)).card).to.deep.equal({ brand: 'mastercard', last4: '4444' });
  });

  it('charges the newest card, of whichever agent of the tree, into its one wallet', async () => {
    const owner = await payer();
    const child = await childOf(card.platform, owner);
    await card.paid(child, 1, { save_card: true }, '5555 5555 5555 4444');
    await card.quiet();
    expect((await shown(owner)).card).to.deep.equal({ brand: 'mastercard', last4: '4444' });
    expect(await card.wallet(owner)).to.include({ cash: 2 });
    await set(owner, { enabled: true, threshold: 3, amount: 8 });
    await recharge();
    expect(await card.wallet(owner)).to.include({ cash: 10 });
    const [charge] = card.control.charges().filter(({ amount }) => amount === 800);
    expect(charge!.payment_method_details!.card!.last4).to.equal('4444');
  });

  it('charges nothing while its owner is suspended', async () => {
    const agent = await payer();
    await set(agent, { enabled: true, threshold: 2, amount: 10 });
    await suspend(card.platform, agent);
    await recharge();
    expect(await chargesOf(agent)).to.deep.equal([]);
  });

  it('keeps to the limit of the month', async () => {
    const agent = await payer();
    const terms = { enabled: true, threshold: 900, amount: 10, monthly_limit: 25 };
    await set(agent, terms);
    for (let n = 0; n < 4; n += 1) await recharge();
    expect(await chargesOf(agent)).to.have.length(2);
    expect(await card.wallet(agent)).to.include({ cash: 21 });
    const refused = await set(agent, { amount: 26 });
    expect(refused.status).to.equal(422);
    expect(await shown(agent)).to.include({ charged_this_month: 20 });
    // Charges of the month before count no more.
    const [first] = await chargesOf(agent);
    await card.platform.query(
      `update recharge set created_at = date_trunc('month', now(), 'UTC') - interval '1 second'
        where id = $1`,
      [first.id],
    );
    expect(await shown(agent)).to.include({ charged_this_month: 10 });
    for (let n = 0; n < 2; n += 1) await recharge();
    expect(await chargesOf(agent)).to.have.length(3);
  });

  it('is off after three charges in a row that were declined, with an event for each', async () => {
    const agent = await payer('4000 0000 0000 0341');
    // A charge that was not made does not count to the limit.
    await set(agent, { enabled: true, threshold: 2, amount: 10, monthly_limit: 15 });
    for (const failures of [1, 2, 3]) {
      await recharge();
      await recharge(); // Its time has not come.
      const outcomes = (await chargesOf(agent)).map((one: { status: string }) => one.status);
      expect(outcomes).to.deep.equal(Array.from({ length: failures }, () => 'failed'));
      await wait(agent);
    }
    expect(await shown(agent)).to.include({ enabled: false, off_because: 'failures' });
    await recharge();
    expect(await chargesOf(agent)).to.have.length(3);
    const failed = await eventsOf(agent, 'wallet.recharge_failed');
    expect(failed.map(({ data }: { data: object }) => data)).to.deep.equal(
      [1, 2, 3].map(() => ({ amount: 10, reason: 'card_declined' })),
    );
    expect(await eventsOf(agent, 'wallet.auto_recharge_off')).to.have.length(1);
    await set(agent, { enabled: true });
    expect(await shown(agent)).to.include({ enabled: true, off_because: null });
    await set(agent, { enabled: false });
  });

  it('is off at once where the bank asks the owner of the card', async () => {
    const agent = await payer('4000 0027 6000 3184');
    await set(agent, { enabled: true, threshold: 2, amount: 10 });
    await recharge();
    expect(await shown(agent)).to.include({ off_because: 'authentication_required' });
    await wait(agent);
    await recharge();
    expect(await chargesOf(agent)).to.have.length(1);
    expect(await card.wallet(agent)).to.include({ cash: 1 });
    const [off] = await eventsOf(agent, 'wallet.auto_recharge_off');
    expect(off.data).to.deep.equal({ reason: 'authentication_required' });
  });

  it('charges once where the answer of Stripe is lost', async () => {
    const agent = await payer();
    card.control.holdEvents(); // They would tell of it too.
    card.control.interrupt({ request: 'POST /v1/payment_intents', how: 'answer lost', times: 2 });
    await set(agent, { enabled: true, threshold: 2, amount: 7 });
    await recharge();
    await eventually(
      () => card.wallet(agent),
      ({ cash }) => cash === 8,
    );
    await eventually(
      () => chargesOf(agent),
      ([one]) => one.status === 'paid',
    );
    const charges = card.control.charges().filter(({ amount }) => amount === 700);
    expect(charges).to.have.length(1);
    await card.control.releaseEvents();
  });

  it('charges nothing where the wallet is filled meanwhile', async () => {
    const agent = await payer();
    await set(agent, { enabled: true, threshold: 2, amount: 10 });
    const treasury = `select from ledger.treasury where id = ${agent.id} for update`;
    const [, begun] = await inQueue<unknown>(card.platform, treasury, [
      () => rail.credit(rail.payment(agent.id, 5)),
      () => runTimer(card.platform, 'recharge_wallets'),
    ]);
    expect(begun).to.deep.equal([{ begun: 0, failed: 0 }]);
    expect(await chargesOf(agent)).to.deep.equal([]);
  });

  it('stays paid, and on, whatever is heard of it later', async () => {
    const agent = await payer();
    await set(agent, { enabled: true, threshold: 2, amount: 10 });
    await recharge();
    const [{ id }] = await chargesOf(agent);
    const late = { reads: 0, outcome: { declined: 'authentication_required' } };
    await rail.inTx((tx) => chargeSavedCard.handle(tx, { recharge_id: id }, late));
    expect((await chargesOf(agent))[0].status).to.equal('paid');
    expect(await shown(agent)).to.include({ enabled: true, charged_this_month: 10 });
  });

  it('only looks for a charge of long ago, and charges no more', async () => {
    const agent = await payer();
    card.control.interrupt({ request: 'POST /v1/payment_intents', how: 'disconnected', times: 50 });
    await set(agent, { enabled: true, threshold: 2, amount: 6 });
    const recharged = recharge(); // It ends with the charge.
    await eventually(
      () => chargesOf(agent),
      ({ length }) => length === 1,
    );
    await card.platform.query(
      `update recharge set created_at = now() - interval '21 hours' where root_id = $1`,
      [agent.id],
    );
    await recharged;
    card.control.endInterruptions();
    const [one] = await chargesOf(agent);
    expect(one).to.include({ status: 'failed', reason: 'not_charged' });
    expect(card.control.charges().filter(({ amount }) => amount === 600)).to.have.length(0);
    await set(agent, { enabled: false });
  });

  it('is not for children, nor without a card', async () => {
    const owner = await card.platform.agent();
    const none = await set(owner, { enabled: true });
    expect([none.status, none.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(none.body.next_actions[0].tool).to.equal('stripe_topup');
    expect(none.body.message).to.include('stripe_topup and save_card: true');
    const child = await childOf(card.platform, owner);
    const refused = await set(child, { threshold: 1 });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'forbidden']);
    expect(await shown(child)).to.include({ enabled: false, card: null });
  });
});
