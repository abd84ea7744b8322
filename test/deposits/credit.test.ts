import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { collectOwed } from '../../shared/domains/deposits/collect_owed.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';
import { childOf } from '../agents/child.ts';
import { railOf } from './paid_in.ts';

describe('a deposit', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  afterEach(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
  after(() => platform.close());

  const { inTx, payment, credit, reverse } = railOf(() => platform);
  const wallet = async ({ key }: { key: string }) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;
  const eventsOf = async ({ key }: { key: string }, type: string) =>
    (await platform.request('GET /api/v1/events', { key })).body.events.filter(
      (event: { type: string }) => event.type === type,
    );

  it('is credited once, by ten that find it at the same moment', async () => {
    const agent = await platform.agent();
    const paid = payment(agent.id, 10);
    const credits = await Promise.all(Array.from({ length: 10 }, () => credit(paid)));
    expect(credits.filter(({ isNew }) => isNew)).to.have.length(1);
    expect(new Set(credits.map(({ deposit }) => deposit.id)).size).to.equal(1);
    expect(await wallet(agent)).to.include({ cash: 10, settled_inflow: 10, owed: 0 });
    const [event] = await eventsOf(agent, 'deposit.credited');
    expect(event.data).to.deep.equal({
      deposit_id: credits[0]!.deposit.id,
      agent_id: agent.id,
      amount: 10,
    });
  });

  it('is another one in another network, or at another index of its transaction', async () => {
    const agent = await platform.agent();
    const paid = payment(agent.id, 1);
    for (const one of [paid, { ...paid, index: 1 }, { ...paid, network: 'base' }]) {
      expect(await credit(one)).to.include({ isNew: true });
    }
    expect(await wallet(agent)).to.include({ cash: 3 });
  });

  it('is not credited where its transaction is noted as one of another rail', async () => {
    const agent = await platform.agent();
    const paid = payment(agent.id, 5);
    await platform.query(
      `insert into deposit (rail, network, tx_id, tx_index, status, waits_for, look_at, asset,
                            amount, agent_id, root_id, sender, recipient, position, paid_at,
                            bound_by)
       values ('base', $1, $2, 0, 'detected', 'It is not final.', now(), 'USDC', 5000000, $3, $3,
               '0x1', '0x2', 1, now(), 'reference')`,
      [paid.network, paid.txId, agent.id],
    );
    expect(await credit(paid)).to.include({ isNew: false });
    expect(await wallet(agent)).to.include({ cash: 0, settled_inflow: 0 });
  });

  it('of a child is in the wallet of its owner, and both are told', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    await credit(payment(child.id, 4, { rootId: owner.id }));
    expect(await wallet(owner)).to.include({ cash: 4 });
    for (const one of [owner, child]) {
      const [event] = await eventsOf(one, 'deposit.credited');
      expect(event.data.agent_id).to.equal(child.id);
    }
  });

  it('that is taken back leaves the wallet, and the settled inflow', async () => {
    const agent = await platform.agent();
    const paid = payment(agent.id, 10);
    await reverse(paid, 4);
    expect(await wallet(agent)).to.include({ cash: 6, settled_inflow: 6, owed: 0 });
    await reverse(paid, 10);
    await reverse(paid, 10);
    expect(await wallet(agent)).to.include({ cash: 0, settled_inflow: 0, owed: 0 });
    const events = await eventsOf(agent, 'deposit.reversed');
    expect(events.at(-1).object).to.include({ status: 'reversed' });
    const amounts = events.map(({ data }: { data: { amount: number } }) => data.amount);
    expect(amounts).to.deep.equal([4, 6]);
    await reverse(paid, 0);
    const [restored] = await eventsOf(agent, 'deposit.restored');
    expect(restored.data.amount).to.equal(10);
    expect(await wallet(agent)).to.include({ cash: 10, settled_inflow: 10, owed: 0 });
  });

  it('taken back after it was spent is owed, and stops spending until it is paid', async () => {
    const { buyer, seller, product } = await meet(platform, {
      usd: 0,
      price: 5,
      accepts_credit: false,
    });
    const cheap = await platform.product(seller, { price: 0.1 });
    const paid = payment(buyer.id, 6);
    await credit(paid);
    const order = await buy(platform, buyer, product); // $5.50
    await reverse(paid, 6);
    expect(await wallet(buyer)).to.include({ cash: 0, credit: 0.5, owed: 5.5, settled_inflow: 0 });

    const body = { product_id: cheap.id };
    const refused = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    expect(refused.status).to.equal(402);
    expect(refused.body.error).to.equal('insufficient_balance');
    const details = { required: 0.11, balance: 0, missing: 5.61, owed: 5.5 };
    expect(refused.body.details).to.deep.equal(details);
    expect(refused.body.next_actions).to.deep.equal([
      { tool: 'get_wallet', route: 'GET /api/v1/wallet', scope: 'read' },
    ]);
    const email = await platform.request('GET /api/v1/email/validate/a@example.com', buyer);
    expect(email.body.error).to.equal('insufficient_balance');
    const preview = await platform.request('POST /api/v1/orders/preview', { key: buyer.key, body });
    expect(preview.body.affordable).to.equal(false);

    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: buyer.key });
    await runTimer(platform, 'collect_owed');
    const collected = await eventually(
      () => wallet(buyer),
      ({ owed }) => owed === 0,
    );
    expect(collected).to.include({ cash: 0, credit: 0.5, owed: 0 });
    const [event] = await eventsOf(buyer, 'wallet.owed_paid');
    expect(event.data).to.deep.equal({ amount: 5.5, owed: 0 });
    await buy(platform, buyer, cheap);
  });

  it('that comes while what is owed is collected pays it once', async () => {
    const { buyer, product } = await meet(platform, { usd: 0, price: 5, accepts_credit: false });
    const paid = payment(buyer.id, 6);
    await credit(paid);
    const order = await buy(platform, buyer, product);
    await reverse(paid, 6);
    await platform.request(`POST /api/v1/orders/${order}/refund`, { key: buyer.key });
    expect(await wallet(buyer)).to.include({ cash: 5.5, owed: 5.5 });
    const [, collected] = await inQueue<unknown>(
      platform,
      `select from ledger.treasury where id = ${buyer.id} for update`,
      [
        () => credit(payment(buyer.id, 2)),
        () => inTx((tx) => collectOwed.handle(tx, {}, undefined)),
      ],
    );
    expect(collected).to.deep.equal({ collected: 1, failed: 0 });
    expect(await wallet(buyer)).to.include({ cash: 2, owed: 0 });
    expect(await eventsOf(buyer, 'wallet.owed_paid')).to.have.length(1);
  });

  it('pays first what is owed', async () => {
    const { buyer, product } = await meet(platform, { usd: 0, price: 5, items: ['a', 'b'] });
    const paid = payment(buyer.id, 6);
    await credit(paid);
    await buy(platform, buyer, product);
    await reverse(paid, 6);
    await credit(payment(buyer.id, 2));
    expect(await wallet(buyer)).to.include({ balance: 0, owed: 3, settled_inflow: 2 });
    await reverse(paid, 0); // The chargeback was lost by the bank: all of it is back.
    expect(await wallet(buyer)).to.include({ cash: 3, owed: 0, settled_inflow: 8 });
  });

  it('is refused by the database where a tree that owes spends past the application', async () => {
    const { buyer, product } = await meet(platform, { usd: 0, price: 5 });
    const paid = payment(buyer.id, 6);
    await credit(paid);
    await buy(platform, buyer, product);
    await reverse(paid, 6);
    const spend = platform.query(
      `insert into ledger.transfer
         (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
       values (-1, 'email.charge', 'treasury', $1, $1, 'revenue', 3, null, 1, 0)`,
      [buyer.id],
    );
    await spend.then(
      () => expect.fail('it was spent'),
      (error: { constraint: string }) => expect(error.constraint).to.equal('transfer_treasury'),
    );
  });
});
