import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { childOf } from '../../agents/child.ts';
import { TestPlatform } from '../../harness.ts';
import { judge, openPool, take, work } from '../../labor/pool.ts';
import { buy, fallDue, meet, runTimer } from '../../orders/trade.ts';
import { act, done, hire, openTask, submit } from '../../tasks/board.ts';

interface Item {
  kind: string;
  id: number;
  agent_id: number;
  amount: number | null;
  ends_at: string | null;
  happens: string;
  party: string | null;
}
interface Places {
  total: number;
  count: number;
  kinds: { kind: string; count: number; total: number }[];
  items: Item[];
}

describe('what is held, and what is on its way', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const detailsOf = async ({ key }: { key: string }) => {
    const { body } = await platform.request('GET /api/v1/wallet?details=true', { key });
    return body as { held: Places; incoming: Places; in_escrow: number; balance: number };
  };
  const sumsOf = ({ kinds }: Places) =>
    Object.fromEntries(kinds.map(({ kind, count, total }) => [kind, [count, total]]));

  it('is shown to who asks for it, and is nothing at first', async () => {
    const agent = await platform.agent();
    const { body } = await platform.request('GET /api/v1/wallet', agent);
    expect(body).to.deep.include({ held: null, incoming: null });
    const none = { total: 0, count: 0, kinds: [], items: [] };
    expect(await detailsOf(agent)).to.deep.include({ held: none, incoming: none });
  });

  it('names each object that holds money, of a tree as much as its escrows hold', async () => {
    const { buyer, seller, product } = await meet(platform, {
      usd: 30,
      price: 2,
      items: ['a', 'b', 'c'],
    });
    const child = await childOf(platform, buyer);
    const order = await buy(platform, child, product);
    const disputed = await buy(platform, buyer, product);
    const over = await buy(platform, buyer, product);
    await fallDue(platform, over);
    await runTimer(platform, 'release_due_orders');
    const complaint = { key: buyer.key, body: { reason: 'It is empty.' } };
    done(await platform.request(`POST /api/v1/orders/${disputed}/dispute`, complaint));
    const task = { taskId: await openTask(platform, buyer, { budget: 3 }), poster: buyer };
    await hire(platform, { ...task, worker: seller }, 1);
    await submit(platform, { taskId: task.taskId, key: seller.key });
    const address = `0x${'ab'.repeat(20)}`;
    const { withdrawal_id: withdrawal } = done(
      await platform.request('POST /api/v1/wallet/withdrawals', {
        key: buyer.key,
        body: { amount: 4, address },
      }),
    );

    const { held, incoming, in_escrow } = await detailsOf(buyer);
    expect(sumsOf(held)).to.deep.equal({ order: [2, 4.4], task: [1, 3], withdrawal: [1, 4] });
    expect(held.count).to.equal(4);
    expect(held.total).to.equal(in_escrow);
    expect(incoming.count).to.equal(0);
    const of = (kind: string, id: number) =>
      held.items.find((item) => item.kind === kind && item.id === id);
    expect(of('order', order)).to.include({
      agent_id: child.id,
      amount: 2.2,
      happens: 'The seller is paid.',
      party: seller.username,
    });
    expect(of('order', disputed)!.happens).to.match(/^It comes back/);
    expect(of('task', task.taskId)).to.include({ amount: 3, party: seller.username });
    expect(of('withdrawal', withdrawal)!.amount).to.equal(4);
    expect(of('withdrawal', withdrawal)!.party!.toLowerCase()).to.equal(address);
    const times = held.items.map(({ ends_at }) => ends_at ?? '9');
    expect(times).to.deep.equal(times.toSorted());

    // A dispute does not end with its seller if nobody does anything.
    const theirs = (await detailsOf(seller)).incoming;
    expect(sumsOf(theirs)).to.deep.equal({ order: [1, 2], task: [1, 1] });
    expect(theirs.items.map(({ party }) => party)).to.have.members([
      child.username,
      buyer.username,
    ]);

    await fallDue(platform, order);
    await runTimer(platform, 'release_due_orders');
    done(await act(platform, 'approve', { taskId: task.taskId, key: buyer.key }));
    done(
      await platform.request(`POST /api/v1/wallet/withdrawals/${withdrawal}/cancel`, {
        key: buyer.key,
      }),
    );
    const later = await detailsOf(buyer);
    expect(sumsOf(later.held)).to.deep.equal({ order: [1, 2.2] });
    expect(later.held.total).to.equal(later.in_escrow);
    // All that was on its way to the seller has come: two orders, and the task.
    const arrived = await detailsOf(seller);
    expect([arrived.incoming.count, arrived.balance]).to.deep.equal([0, 5.5]);
  });

  it('follows labor, unit by unit', async () => {
    const { poster, taskId } = await openPool(platform, { verification: 'manual' });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, taskId, worker);
    await take(platform, taskId, worker);
    const { held, in_escrow } = await detailsOf(poster);
    expect(held.items).to.have.length(1);
    expect(held.items[0]).to.include({ kind: 'labor_task', id: taskId, party: null });
    expect(held.total).to.equal(in_escrow).and.to.equal(0.02);
    // A unit that is taken only is worth nothing yet.
    const { incoming } = await detailsOf(worker);
    expect(sumsOf(incoming)).to.deep.equal({ labor_claim: [1, 0.01] });
    const [name] = await platform.query('select username from agent where id = $1', [poster.id]);
    expect(incoming.items[0]!.party).to.equal(name.username);
    done(await judge(platform, { poster, taskId }, claim_id, 'accept'));
    const later = await detailsOf(poster);
    expect([later.held.total, later.in_escrow]).to.deep.equal([0.01, 0.01]);
    expect((await detailsOf(worker)).incoming.count).to.equal(0);
  });

  it('shows deposits that are seen and not final, as far as they are worth something', async () => {
    const agent = await platform.agent();
    const seen = (status: string, usd: number | null, tx: string) =>
      platform.query(
        `insert into deposit (rail, network, tx_id, status, waits_for, look_at, asset, amount, usd,
                              agent_id, root_id, sender, recipient, position, paid_at, bound_by)
         values ('base', 'test', $1, $2, 'Its block is not final.',
                 case when $2 <> 'rejected' then now() end, 'USDC', 1, $3, $4, $4, $5, $5, 1, now(),
                 'reference')`,
        [tx, status, usd, agent.id, `0x${'cd'.repeat(20)}`],
      );
    await seen('detected', 5_000_000, `seen-${agent.id}`);
    await seen('confirming', null, `unpriced-${agent.id}`);
    await seen('rejected', 7_000_000, `rejected-${agent.id}`);
    const { incoming, balance } = await detailsOf(agent);
    expect(sumsOf(incoming)).to.deep.equal({ deposit: [2, 5] });
    expect(incoming.items.map(({ amount }) => amount)).to.deep.equal([5, null]);
    expect(balance).to.equal(0.5);
  });

  it('shows a child its own and those below it, and nothing of the others', async () => {
    const { buyer, product } = await meet(platform, { usd: 9, price: 1, items: ['a', 'b', 'c'] });
    const child = await childOf(platform, buyer);
    const grandchild = await childOf(platform, child);
    for (const agent of [buyer, child, grandchild]) await buy(platform, agent, product);
    expect((await detailsOf(buyer)).held.total).to.equal(3.3);
    const { held, in_escrow } = await detailsOf(child);
    expect([held.total, in_escrow]).to.deep.equal([2.2, 3.3]);
    expect(held.items.map(({ agent_id }) => agent_id)).to.have.members([child.id, grandchild.id]);
    expect((await detailsOf(await platform.agent())).held.count).to.equal(0);
  });

  it('lists what ends first, and counts all', async () => {
    const fields = { usd: 9, price: 0.1, stock_kind: 'unlimited', content: 'all' };
    const { buyer, seller, product } = await meet(platform, fields);
    const orders: number[] = [];
    for (let n = 0; n < 22; n += 1) orders.push(await buy(platform, buyer, product));
    await platform.query(
      `update orders set release_at = now() + interval '1 hour' where id = any ($1)`,
      [[orders[21], orders[7]]],
    );
    for (const places of [(await detailsOf(buyer)).held, (await detailsOf(seller)).incoming]) {
      expect([places.count, places.items.length]).to.deep.equal([22, 20]);
      expect(places.items.slice(0, 2).map(({ id }) => id)).to.deep.equal([orders[7], orders[21]]);
    }
    expect((await detailsOf(buyer)).held.total).to.equal(2.42);
    expect((await detailsOf(seller)).incoming.total).to.equal(2.2);
  });
});
