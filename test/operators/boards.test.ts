import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { transact } from '../../shared/platform/database.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { TestPlatform } from '../harness.ts';
import { postLabor } from '../labor/pool.ts';
import { buy, fallDue, meet, runTimer } from '../orders/trade.ts';
import { done, openTask } from '../tasks/board.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';

describe('what operators see', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const read = async (path: string) => {
    const { status, body } = await platform.request(`GET /api/v1/admin/${path}`, {
      key: OPERATOR_TOKEN,
    });
    expect(status, path).to.equal(200);
    return body;
  };
  const find = async (query: string | number) =>
    (await read(`find?query=${encodeURIComponent(query)}`)).found;
  const named = (list: Record<string, unknown>[], field: string) =>
    Object.fromEntries(list.map((one) => [one[field], one]));

  it('is all money by where it is, which is nothing in all, before and after a roll-up', async () => {
    const { buyer, product } = await meet(platform, { usd: 30, price: 2, items: ['a', 'b', 'c'] });
    const paid = await buy(platform, buyer, product);
    const disputed = await buy(platform, buyer, product);
    await buy(platform, buyer, product);
    await fallDue(platform, paid);
    await runTimer(platform, 'release_due_orders');
    await platform.request(`POST /api/v1/orders/${disputed}/dispute`, {
      key: buyer.key,
      body: { reason: 'It is empty.' },
    });
    await openTask(platform, buyer, { budget: 3 });
    done(await postLabor(platform, buyer, { reward: 0.1 }));
    const body = { amount: 4, address: `0x${'ab'.repeat(20)}` };
    done(await platform.request('POST /api/v1/wallet/withdrawals', { key: buyer.key, body }));

    const before = await read('money');
    expect(before).to.include({ balanced: true, difference: 0, unexplained: 0 });
    const escrows = named(before.escrows, 'kind');
    expect(escrows.orders).to.include({ count: 1, amount: 2.2, overdue: 0 });
    expect(escrows['disputed orders']).to.include({ count: 1, amount: 2.2, overdue: 0 });
    expect(escrows.tasks).to.include({ count: 1, amount: 3, overdue: 0 });
    expect(escrows.labor).to.include({ count: 1, overdue: 0 });
    expect(escrows.withdrawals).to.include({ count: 1, amount: 4 });
    const accounts = named(before.accounts, 'account');
    const { credit, cash } = accounts['revenue: fees'] as unknown as Record<string, number>;
    expect(credit! + cash!).to.equal(0.2);
    expect(accounts.expense).to.include({ cash: 0, credit: -1 });
    await rollUp(platform);
    const { as_of: _, ...after } = await read('money');
    const { as_of: __, ...same } = before;
    expect(after).to.deep.equal(same);
  });

  it('is balanced while money moves', async () => {
    const { buyer, product } = await meet(platform, {
      usd: 60,
      items: Array.from({ length: 30 }, (_, n) => `k${n}`),
    });
    const buying = Promise.all(Array.from({ length: 30 }, () => buy(platform, buyer, product)));
    for (let look = 0; look < 10; look += 1) {
      expect(await read('money')).to.include({ balanced: true, unexplained: 0 });
    }
    await buying;
  });

  it('says what is overdue', async () => {
    const { buyer, product } = await meet(platform);
    const order = await buy(platform, buyer, product);
    await platform.query(
      `update orders set release_at = now() - interval '6 minutes' where id = $1`,
      [order],
    );
    // The timer may have released it meanwhile: then nothing is overdue any more.
    const { escrows } = await read('money');
    const [{ status }] = await platform.query('select status from orders where id = $1', [order]);
    const { overdue } = named(escrows, 'kind').orders as unknown as { overdue: number };
    expect(overdue).to.be.within(status === 'escrow' ? 1 : 0, 1);
  });

  it('is what waits for a decision, of every kind', async () => {
    const { buyer, seller, product } = await meet(platform, { items: ['a', 'b'] });
    const count = async () =>
      named((await read('overview')).decisions, 'kind') as unknown as Record<
        string,
        { count: number; oldest_at: string | null }
      >;
    const before = await count();
    const order = await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${order}/dispute`, {
      key: buyer.key,
      body: { reason: 'It is empty.' },
    });
    // Its seller has the word first.
    expect((await count()).order_disputes!.count).to.equal(before.order_disputes!.count);
    await platform.request(`POST /api/v1/orders/${order}/dispute/respond`, {
      key: seller.key,
      body: { response: 'It is not.' },
    });
    const answered = (await count()).order_disputes!;
    expect(answered.count).to.equal(before.order_disputes!.count + 1);
    expect(Date.parse(answered.oldest_at!)).to.be.at.most(Date.now());
    await platform.request(`POST /api/v1/admin/disputes/order/${order}/verdict`, {
      key: OPERATOR_TOKEN,
      body: { verdict: 'refund', note: 'It was empty.' },
    });
    expect(await count()).to.deep.equal(before);
  });

  it('is whether something is late, the worst first', async () => {
    const healthy = await read('overview');
    expect(healthy).to.include({ state: 'healthy', faults: 0, held_jobs: 0 });
    expect(healthy.calls_per_minute).to.be.above(0);
    expect(healthy.p99_ms).to.be.at.least(healthy.p50_ms);
    await platform.query(
      `insert into sweep_fault (operation, row_id, fault, next_at)
       values ('release_due_orders', 1, 'It is broken.', now() + interval '1 hour')`,
    );
    expect(await read('overview')).to.include({ state: 'attention', faults: 1 });
    await platform.query('delete from sweep_fault');
  });

  it('is where jobs wait, due longest first, and how they ended', async () => {
    const { buyer, product } = await meet(platform, { items: ['a'] });
    await buy(platform, buyer, product);
    const body = { product_id: product.id };
    const none = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    expect(none.body.error).to.equal('out_of_stock');
    const headers = { 'idempotency-key': 'a-recorded-write' };
    const keys = { key: buyer.key, headers, body: { name: 'reader', scopes: ['read'] } };
    expect((await platform.request('POST /api/v1/agent/keys', keys)).status).to.equal(200);
    const operations = named((await read('queues')).operations, 'operation');
    // A write is recorded and finished in one transaction.
    expect(operations.create_key).to.have.property('p50_ms').above(0);
    const bought = operations.purchase_product!;
    expect(bought).to.include({ pending: 0, failing: 0, resting: 0, oldest_due_at: null });
    expect((bought as unknown as { done: number }).done).to.be.above(0);
    expect((bought as unknown as { refused: number }).refused).to.be.above(0);
    await transact(platform.context.database, async (db) => {
      await db.query(
        `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, run_at)
         values (gen_random_uuid(), 'held_example', 0, 0, '{}', '', 'a test', 'infinity')`,
      );
    });
    const held = named((await read('queues')).operations, 'operation').held_example;
    expect(held).to.include({ pending: 1, resting: 1, oldest_due_at: null });
    expect((await read('overview')).held_jobs).to.equal(1);
    await platform.query(`delete from job where operation = 'held_example'`);
  });

  it('is which rail is on, and what the others need', async () => {
    const { rails } = await read('rails');
    const byRail = named(rails, 'rail');
    expect(byRail.card).to.deep.include({
      network: null,
      needs: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
    });
    expect(byRail.solana).to.deep.include({
      network: null,
      needs: ['SOLANA_RPC_URLS', 'SOLANA_DEPOSIT_ADDRESS'],
    });
    expect(rails).to.have.length(8);
    // A rail that is off is not asked, and nothing of it is shown.
    expect(await runTimer(platform, 'compare_x402_payments')).to.deep.equal([{ transfers: 0 }]);
    expect(byRail.x402).to.include({ searched_to: null, unbound: null, unbound_usd: null });
  });

  it('finds an order with its money, a job, an agent by name, by address and by its key', async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 5, price: 2 });
    const order = await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${order}/confirm`, buyer);
    const bought = (await find(`#${order}`)).find(({ kind }: { kind: string }) => kind === 'order');
    const { username } = buyer;
    expect(bought).to.include({ id: String(order), agent_id: buyer.id, status: 'completed' });
    expect(bought).to.include({ username });
    const moved = bought.transfers.map((one: Record<string, number>) => [
      one.kind,
      one.credit! + one.cash!,
      one.to,
    ]);
    const escrow = bought.transfers[0].to;
    const [held, released] = bought.transfers;
    expect(held).to.include({ from_username: username, to_username: null });
    expect(released).to.include({ from_username: null, to_username: seller.username });
    expect(escrow).to.match(/^escrow \d+$/);
    expect(moved).to.have.deep.members([
      ['order.hold', 2.2, escrow],
      ['order.release', 2, `treasury ${seller.id}`],
      ['order.fee', 0.2, 'revenue 1'],
    ]);
    const [{ job_id: job }] = await platform.query('select job_id from orders where id = $1', [
      order,
    ]);
    expect(await find(job)).to.have.length(1);
    expect((await find(job))[0]).to.include({ kind: 'job', agent_id: buyer.id, username });
    expect(await read(`jobs/${job}`)).to.include({ agent_id: buyer.id, username });
    const ofBuyer = await read(`jobs?agent_id=${buyer.id}&state=complete`);
    expect(ofBuyer.jobs[0]).to.include({ username });
    for (const name of [
      buyer.username.toUpperCase(),
      `${buyer.username}@EXAMPLE.com`,
      buyer.key.slice(0, 14),
      buyer.id,
    ]) {
      const [agent] = await find(name);
      expect(agent, String(name)).to.include({ kind: 'agent', id: String(buyer.id) });
    }
    for (const nobody of ['nobody', '0xabc', 'vnx_', "x' or true --", 2 ** 31]) {
      expect(await find(nobody), String(nobody)).to.deep.equal([]);
    }
  });
});
