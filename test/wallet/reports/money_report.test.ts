import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { childOf } from '../../agents/child.ts';
import { TestPlatform } from '../../harness.ts';
import { buy, fallDue, meet, runTimer, type Agent } from '../../orders/trade.ts';
import { act, done, hire, openTask, submit } from '../../tasks/board.ts';
import { chargesOf } from '../charges.ts';
import { rollUp, shiftMoney } from './roll_up.ts';

const WALLET = 'GET /api/v1/wallet';

describe('reports of money', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { pay, refund } = chargesOf(() => platform);
  const report = async (agent: { key: string }, of: 'spend' | 'sales', query = '') =>
    (await platform.request(`${WALLET}/${of}${query}`, { key: agent.key })).body;
  const amounts = ({ parts }: { parts: { name: string; amount: number }[] }) =>
    Object.fromEntries(parts.map(({ name, amount }) => [name, amount]));
  /** Both reports by everything that there is. */
  const all = (agents: readonly Agent[]) =>
    Promise.all(
      agents.flatMap((agent) => [
        report(agent, 'spend'),
        report(agent, 'spend', '?by=agent&days=7'),
        report(agent, 'sales', '?by=agent'),
        report(agent, 'sales', '?by=category&days=90'),
        report(agent, 'sales'),
      ]),
    );

  it('say nothing where nothing was spent, for each day', async () => {
    const agent = await platform.agent({ usd: 3 });
    const spent = await report(agent, 'spend', '?days=3');
    expect(spent).to.deep.include({ total: 0, count: 0, previous: 0, parts: [] });
    expect(spent.by_day.map(({ day }: { day: string }) => day)).to.deep.equal(
      [2, 1, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)),
    );
    expect(await report(agent, 'sales')).to.deep.include({ total: 0, parts: [] });
  });

  it('sum up every way to spend and to earn, the same before and after a roll-up', async () => {
    const { buyer, seller, product } = await meet(platform, {
      usd: 20,
      price: 2,
      title: 'Maps',
      items: ['a', 'b', 'c'],
    });
    const child = await childOf(platform, buyer);
    const paid = await buy(platform, buyer, product);
    const refunded = await buy(platform, child, product);
    await buy(platform, child, product);
    await platform.request(`POST /api/v1/orders/${refunded}/refund`, seller);
    await fallDue(platform, paid);
    await runTimer(platform, 'release_due_orders');
    const charged = await pay(buyer, { units: 500 });
    await refund(charged, 'unit:1', 100_000n);
    await pay(buyer, { service: 'email', units: 10 });
    const task = { taskId: await openTask(platform, buyer, { budget: 3 }), poster: buyer };
    await hire(platform, { ...task, worker: seller }, 1);
    await submit(platform, { taskId: task.taskId, key: seller.key });
    done(await act(platform, 'approve', { taskId: task.taskId, key: buyer.key }));
    const withdrawal = { amount: 4, address: `0x${'ab'.repeat(20)}` };
    const route = 'POST /api/v1/wallet/withdrawals';
    const withdraw = () => platform.request(route, { key: buyer.key, body: withdrawal });
    done(await withdraw());
    const cancelled = done(await withdraw()).withdrawal_id;
    done(await platform.request(`${route}/${cancelled}/cancel`, { key: buyer.key }));

    const before = await all([buyer, child, seller]);
    await rollUp(platform);
    expect(await all([buyer, child, seller])).to.deep.equal(before);

    const spent = await report(buyer, 'spend');
    const emails = (await platform.query(
      `select sum(credit + cash)::float8 / 1000000 as usd from charge
        where agent_id = $1 and service = 'email'`,
      [buyer.id],
    )) as { usd: number }[];
    const categories = {
      serial_key: 4.4,
      proxy_service: 0.4,
      api_service: emails[0]!.usd,
      task: 1,
      withdrawal: 4,
    };
    expect(amounts(spent)).to.deep.equal(categories);
    const total = Object.values(categories).reduce((sum, usd) => sum + usd, 0);
    expect(spent.total).to.be.closeTo(total, 1e-9);
    expect(spent.by_day.at(-1).amount).to.equal(spent.total);
    expect(spent.count).to.equal(8); // Three orders, two charges, a task, two withdrawals.
    const childs = await report(buyer, 'spend', `?by=agent&agent_id=${child.id}`);
    expect(childs.parts).to.deep.equal([
      { id: child.id, name: child.username, amount: 2.2, count: 2, previous: 0 },
    ]);
    const sold = await report(seller, 'sales');
    expect(sold.parts).to.deep.equal([
      { id: product.id, name: 'Maps', amount: 2, count: 1, previous: 0 },
      { id: null, name: 'task', amount: 1, count: 1, previous: 0 },
    ]);
  });

  it('agree with the statement', async () => {
    const { buyer, product } = await meet(platform, { usd: 5, items: ['a', 'b'] });
    const order = await buy(platform, buyer, product);
    await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${order}/dispute`, {
      key: buyer.key,
      body: { reason: 'It is empty.' },
    });
    const { body } = await platform.request(`${WALLET}/statement`, buyer);
    const moved = body.entries
      .filter(({ kind }: { kind: string }) => kind.startsWith('order.'))
      .reduce((sum: number, { amount }: { amount: number }) => sum - amount, 0);
    expect((await report(buyer, 'spend')).total).to.be.closeTo(moved, 1e-9);
  });

  it('compare with as many days before, and count each transfer to its UTC day', async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 9, items: ['a', 'b', 'c'] });
    for (const daysAgo of [13, 6]) {
      const order = await buy(platform, buyer, product);
      await fallDue(platform, order);
      await runTimer(platform, 'release_due_orders');
      await shiftMoney(platform, [buyer.id, seller.id], daysAgo);
    }
    await buy(platform, buyer, product);
    const check = async () => {
      const week = await report(buyer, 'spend', '?days=7');
      expect(week).to.include({ total: 2.2, count: 2, previous: 1.1 });
      expect(week.parts).to.deep.equal([
        { id: null, name: 'serial_key', amount: 2.2, count: 2, previous: 1.1 },
      ]);
      expect(week.by_day.map(({ parts }: { parts: number[] }) => parts[0])).to.deep.equal([
        1.1, 0, 0, 0, 0, 0, 1.1,
      ]);
      expect(await report(seller, 'sales', '?days=7')).to.include({ total: 1, previous: 1 });
      expect(await report(buyer, 'spend', '?days=6')).to.include({ total: 1.1, previous: 1.1 });
      expect(await report(buyer, 'spend', '?days=14')).to.include({ total: 3.3, previous: 0 });
    };
    await check();
    await rollUp(platform);
    await check();
  });

  it('show of many parts the largest, and all in the total', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 60 });
    for (let price = 1; price <= 22; price += 1) {
      const product = await platform.product(seller, { price: price / 10, title: `At ${price}` });
      const order = await buy(platform, buyer, product);
      await platform.request(`POST /api/v1/orders/${order}/confirm`, buyer);
    }
    const sold = await report(seller, 'sales');
    expect(sold.total).to.equal(25.3);
    expect(sold.parts).to.have.length(20);
    expect(sold.parts[0]).to.include({ name: 'At 22', amount: 2.2 });
    expect(sold.parts[19]).to.include({ name: 'At 3', amount: 0.3 });
    expect(sold.by_day.at(-1).parts).to.have.length(20);
  });

  it('show a child what it and those below it spent, and nothing of the others', async () => {
    const { buyer, product } = await meet(platform, { usd: 9, items: ['a', 'b', 'c'] });
    const child = await childOf(platform, buyer);
    const grandchild = await childOf(platform, child);
    for (const agent of [buyer, child, grandchild]) await buy(platform, agent, product);
    expect((await report(buyer, 'spend')).total).to.equal(3.3);
    expect((await report(child, 'spend')).total).to.equal(2.2);
    expect((await report(child, 'spend', `?agent_id=${grandchild.id}`)).total).to.equal(1.1);
    const outsider = await platform.agent();
    for (const [agent, of] of [
      [child, buyer],
      [outsider, child],
      [buyer, { id: 2_000_000_000 }],
    ] as const) {
      const { error } = await report(agent, 'spend', `?agent_id=${of.id}`);
      expect(error).to.equal('not_found');
      expect((await report(agent, 'sales', `?agent_id=${of.id}`)).error).to.equal('not_found');
    }
  });
});
