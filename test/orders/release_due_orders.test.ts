import { expect } from 'chai';

import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { OPERATOR_TOKEN } from './deal.ts';
import { buy, eventsOf, fallDue, meet, runTimer, runSweep } from './trade.ts';

const SWEEP = 'release_due_orders';

describe('release_due_orders', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const wallet = async ({ key }: { key: string }) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;
  const transfersOf = (id: number) =>
    platform.query(
      `select kind::text, to_account::text, credit::int, cash::int from ledger.transfer
        where ref = $1 and kind in ('order.release', 'order.fee') order by id`,
      [id],
    );
  const statusOf = async (id: number) =>
    (await platform.query('select status from orders where id = $1', [id]))[0].status;

  it('pays the subtotal to the seller and the fee to the platform, and tells both', async () => {
    const { buyer, seller, product } = await meet(platform, { price: 2 });
    const id = await buy(platform, buyer, product);
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');

    expect(await statusOf(id)).to.equal('completed');
    expect(await wallet(seller)).to.include({ balance: 2.5, credit: 1, cash: 1.5 });
    expect(await wallet(buyer)).to.include({ balance: 3.3, in_escrow: 0 });
    // Half a dollar of the 2.20 was welcome credit: it goes first, to the seller.
    expect(await transfersOf(id)).to.deep.equal([
      { kind: 'order.release', to_account: 'treasury', credit: 500_000, cash: 1_500_000 },
      { kind: 'order.fee', to_account: 'revenue', credit: 0, cash: 200_000 },
    ]);
    for (const agent of [buyer, seller]) {
      const events = (await eventsOf(platform, agent)).filter((type) => type === 'order.completed');
      expect(events).to.have.length(1);
    }
  });

  it('pays once, however many timers run at the same time and afterwards', async () => {
    const { buyer, seller, product } = await meet(platform, { price: 1 });
    const id = await buy(platform, buyer, product);
    await fallDue(platform, id);
    await Promise.all(Array.from({ length: 6 }, () => runTimer(platform, 'release_due_orders')));
    await runTimer(platform, 'release_due_orders');
    expect(await transfersOf(id)).to.have.length(2);
    expect((await wallet(seller)).balance).to.equal(1.5);
  });

  it('releases all others when one order cannot be released, and says which', async () => {
    const { buyer, product } = await meet(platform, {
      price: 0.01,
      stock_kind: 'unlimited',
      content: 'all',
    });
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await buy(platform, buyer, product));
    const bad = ids[2]!;
    const others = ids.toSpliced(2, 1);
    await setEscrow(bad, 'wrong');
    await fallDue(platform, ...ids);

    expect(await runSweep(platform, SWEEP)).to.deep.equal({ released: 4, failed: 1 });
    for (const id of others) expect(await statusOf(id)).to.equal('completed');
    expect(await statusOf(bad)).to.equal('escrow');
    expect(await transfersOf(bad)).to.deep.equal([]);

    const [fault] = (await faults()).faults;
    expect(fault).to.include({ operation: SWEEP, row_id: bad, attempts: 1, set_aside: false });
    expect(fault.fault).to.match(/escrow/);
    expect(Date.parse(fault.next_attempt_at)).to.be.above(Date.now());

    // It is left alone for a while, and then attempted by itself.
    expect(await runSweep(platform, SWEEP)).to.deep.equal({ released: 0, failed: 0 });
    await attemptNow(bad);
    await platform.query('update sweep_fault set attempts = 7 where row_id = $1', [bad]);
    expect(await runSweep(platform, SWEEP)).to.deep.equal({ released: 0, failed: 1 });
    const [last] = (await faults()).faults;
    expect(last).to.include({ attempts: 8, set_aside: true });
    const pause = Date.parse(last.next_attempt_at) - Date.parse(last.failed_at);
    expect(pause).to.equal(86_400_000);

    await setEscrow(bad, 'right');
    await attemptNow(bad);
    expect(await runSweep(platform, SWEEP)).to.deep.equal({ released: 1, failed: 0 });
    expect(await statusOf(bad)).to.equal('completed');
    expect((await faults()).count).to.equal(0);
  });

  const faults = async () =>
    (await platform.request('GET /api/v1/admin/faults', { key: OPERATOR_TOKEN })).body;
  /** The order names an escrow that nobody filled, or its own again. */
  const setEscrow = (id: number, which: 'wrong' | 'right') =>
    platform.query(`update orders set escrow_id = $2 * abs(escrow_id) where id = $1`, [
      id,
      which === 'wrong' ? -1 : 1,
    ]);
  const attemptNow = (id: number) =>
    platform.query('update sweep_fault set next_at = now() where row_id = $1', [id]);

  it('leaves alone what is not due', async () => {
    const { buyer, seller, product } = await meet(platform, { price: 1 });
    const id = await buy(platform, buyer, product);
    await platform.query(
      `update orders set release_at = now() + interval '30 minutes' where id = $1`,
      [id],
    );
    await runTimer(platform, 'release_due_orders');
    expect(await statusOf(id)).to.equal('escrow');
    expect((await wallet(seller)).balance).to.equal(0.5);
  });

  it('turns no welcome credit into cash for two agents who trade with each other', async () => {
    const [a, b] = [await platform.agent(), await platform.agent()];
    const fields = { stock_kind: 'unlimited', content: 'nothing', price: 0.4 };
    const products = [await platform.product(a, fields), await platform.product(b, fields)];
    for (let round = 0; round < 3; round += 1) {
      for (const [buyer, product] of [
        [b, products[0]],
        [a, products[1]],
      ] as const) {
        const body = { product_id: product!.id };
        const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
        if (bought.status === 200) await fallDue(platform, bought.body.order_id);
        await runTimer(platform, 'release_due_orders');
      }
    }
    const wallets = [await wallet(a), await wallet(b)];
    expect(wallets.map(({ cash }) => cash)).to.deep.equal([0, 0]);
    expect(wallets[0].credit + wallets[1].credit).to.be.below(1);
  });

  it('releases 1 200 that fall due at once, in more than one transaction', async function () {
    this.timeout(60_000);
    const fields = { stock_kind: 'unlimited', content: 'all', price: 0.01 };
    const { buyer, seller, product } = await meet(platform, { usd: 20, ...fields });
    const ids = await buyMany(1_200, buyer.id, product.id);
    await platform.query(
      `update orders set release_at = now() - interval '1 second' where product_id = $1`,
      [product.id],
    );
    const answers = await runTimer(platform, 'release_due_orders');
    const released = answers.map((answer) => (answer as { released: number }).released);
    expect(released).to.deep.equal([500, 500, 200]);
    expect(ids).to.have.length(1_200);
    expect((await wallet(seller)).balance).to.equal(12.5);
    expect(await wallet(buyer)).to.include({ balance: 7.3, in_escrow: 0 });
  });

  /** Buys like so many calls, without the time that their HTTP takes. */
  async function buyMany(count: number, agentId: number, productId: number): Promise<string[]> {
    const { database, clock, queue, secrets } = platform.context;
    const jobs = Array.from({ length: count }, () => ({
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      agentId,
      rootId: agentId,
      input: { product_id: productId },
      hash: secrets.hash('test', 'test').hash,
      requestId: 'req_many',
    }));
    const ids = [...(await insertJobs(database, jobs))];
    for (let at = 0; at < count; at += 60) {
      const batch = ids.slice(at, at + 60);
      await queue.push({ queue: 'money', operation: 'purchase_product', ids: batch });
    }
    await eventually(
      () =>
        platform.query('select count(*)::int as n from orders where product_id = $1', [productId]),
      ([{ n }]) => n === count,
    );
    return ids;
  }
});
