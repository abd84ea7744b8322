import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { postLabor } from '../labor/pool.ts';
import { bidOn, done, hire, openTask } from '../tasks/board.ts';
import { childOf } from './child.ts';

describe('lists of the agents below', () => {
  let platform: TestPlatform;
  let root: { id: number; key: string };
  let child: { id: number; key: string };
  let grandchild: { id: number; key: string };
  let outsider: { id: number; key: string };

  before(async () => {
    platform = await TestPlatform.open();
    root = await platform.agent({ usd: 20 });
    child = await childOf(platform, root);
    grandchild = await childOf(platform, child);
    outsider = await platform.agent({ usd: 20 });
  });
  after(() => platform.close());

  const read = async (path: string, { key }: { key: string }) =>
    (await platform.request(`GET /api/v1/${path}`, { key })).body;

  /** Asks for one's own, for one below, and for all below, by pages of one. */
  async function expectTree(
    path: string,
    list: string,
    id: string,
    ids: Map<number, number[]>,
    own = '?',
  ) {
    const shown = async (query: string, as: { key: string }) => {
      const found: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await read(`${path}${query}limit=1${cursor && `&cursor=${cursor}`}`, as);
        found.push(...(page[list] as Record<string, number>[]).map((one) => one[id]!));
        cursor = page.next_cursor as string | null;
      }
      return found;
    };
    const of = (...agents: { id: number }[]) =>
      [...new Set(agents.flatMap((agent) => ids.get(agent.id)!))].toSorted((a, b) => b - a);
    expect(await shown(own, root)).to.deep.equal(of(root));
    expect(await shown(`?agent_id=${child.id}&`, root)).to.deep.equal(of(child));
    expect(await shown(`?agent_id=${grandchild.id}&`, child)).to.deep.equal(of(grandchild));
    if (list === 'keys') return;
    expect(await shown('?below=true&', root)).to.deep.equal(of(root, child, grandchild));
    expect(await shown('?below=true&', child)).to.deep.equal(of(child, grandchild));
    const both = `?below=true&agent_id=${child.id}&`;
    expect(await shown(both, root)).to.deep.equal(of(child, grandchild));
  }

  async function expectHidden(path: string) {
    for (const [as, of] of [
      [child, root],
      [grandchild, child],
      [outsider, root],
      [root, outsider],
    ] as const) {
      for (const query of [`?agent_id=${of.id}`, `?agent_id=${of.id}&below=true`]) {
        const { error } = await read(path + query, as);
        expect(error, `${path}${query}`).to.be.oneOf(['not_found', 'validation_error']);
        if (!query.includes('below') || path !== 'agent/keys') expect(error).to.equal('not_found');
      }
    }
  }

  it('are of orders, bought and sold', async () => {
    const product = await platform.product(outsider, { items: ['a', 'b', 'c', 'd', 'e', 'f'] });
    const bought = new Map<number, number[]>();
    for (const agent of [root, child, grandchild, root, grandchild]) {
      const order = await buy(platform, agent, product);
      bought.set(agent.id, [...(bought.get(agent.id) ?? []), order]);
    }
    await expectTree('orders', 'orders', 'order_id', bought);
    await expectHidden('orders');
    const sold = new Map<number, number[]>();
    for (const seller of [root, child, grandchild]) {
      sold.set(seller.id, [await buy(platform, outsider, await platform.product(seller))]);
    }
    const { orders } = await read('orders?role=seller&below=true', root);
    const ids = orders.map(({ order_id }: { order_id: number }) => order_id);
    expect(ids).to.have.members([...sold.values()].flat());
    // Agents above a seller see its sales, one by one too, and can do nothing with them.
    const [sale] = sold.get(grandchild.id)!;
    for (const { key } of [root, child]) {
      expect(await read(`orders/${sale}`, { key })).to.include({ seller_id: grandchild.id });
      expect((await read(`orders/${sale}`, { key })).available_actions).to.deep.equal([]);
    }
    expect((await read(`orders/${sale}`, grandchild)).available_actions).not.to.deep.equal([]);
    const [above] = sold.get(root.id)!;
    expect((await read(`orders/${above}`, child)).error).to.equal('not_found');
  });

  it('are of what waits for an owner, too', async () => {
    const product = await platform.product(outsider);
    const asking = await childOf(platform, root);
    await setPolicy(platform, asking, { approval_threshold: 0 });
    await platform.request('POST /api/v1/orders', {
      key: asking.key,
      body: { product_id: product.id },
    });
    const own = await read('orders?limit=100', root);
    const all = await read('orders?limit=100&below=true', root);
    const waiting = (page: { orders: { status: string; buyer_id: number }[] }) =>
      page.orders.filter(({ status }) => status === 'pending_approval').map((one) => one.buyer_id);
    expect(waiting(own)).to.deep.equal([]);
    expect(waiting(all)).to.deep.equal([asking.id]);
  });

  it('are of products', async () => {
    const listed = new Map<number, number[]>();
    const { products } = await read('products/mine?below=true&limit=100', root);
    for (const agent of [root, child, grandchild]) {
      const before = products.filter(
        ({ seller }: { seller: { agent_id: number } }) => seller.agent_id === agent.id,
      );
      const { id } = await platform.product(agent);
      const ids = before.map(({ product_id }: { product_id: number }) => product_id);
      listed.set(agent.id, [...ids, id]);
    }
    await expectTree('products/mine', 'products', 'product_id', listed);
    await expectHidden('products/mine');
  });

  it('are of tasks, posted or bid for, each with the agent that it is of', async () => {
    const tasks = new Map<number, number[]>();
    for (const agent of [root, child, grandchild]) {
      tasks.set(agent.id, [await openTask(platform, agent, { budget: 0.1 })]);
    }
    const [taken, wanted] = [
      await openTask(platform, outsider, { budget: 0.1 }),
      await openTask(platform, outsider, { budget: 0.1 }),
    ];
    await hire(platform, { poster: outsider, worker: grandchild, taskId: taken }, 0.1);
    tasks.get(grandchild.id)!.push(taken);
    for (const { id, key } of [child, root]) {
      done(await bidOn(platform, { taskId: wanted, key }, 0.1));
      tasks.get(id)!.push(wanted);
    }
    await expectTree('tasks/mine', 'tasks', 'task_id', tasks);
    await expectHidden('tasks/mine');
    const { tasks: shown } = await read('tasks/mine?below=true', root);
    const agentsOf = (id: number) => {
      const { agent } = shown.find(({ task_id }: { task_id: number }) => task_id === id);
      return [agent.agent_id, agent.role];
    };
    expect(agentsOf(tasks.get(child.id)![0]!)).to.deep.equal([child.id, 'poster']);
    expect(agentsOf(taken)).to.deep.equal([grandchild.id, 'worker']);
    expect(agentsOf(wanted)).to.deep.equal([root.id, 'bidder']);
  });

  it('are of labor that they posted', async () => {
    const posted = new Map<number, number[]>();
    for (const agent of [root, child, grandchild]) {
      posted.set(agent.id, [done(await postLabor(platform, agent)).task_id]);
    }
    await expectTree('labor', 'labor_tasks', 'task_id', posted, '?mine=true&');
    await expectHidden('labor');
  });

  it('are of keys, one agent at a time', async () => {
    const keys = new Map<number, number[]>();
    for (const { id } of [root, child, grandchild]) {
      const found = await platform.query('select id from api_key where agent_id = $1', [id]);
      keys.set(
        id,
        found.map((one: { id: string }) => Number(one.id)),
      );
    }
    const { keys: shown } = await read(`agent/keys?agent_id=${child.id}`, root);
    expect(shown.map(({ key_id }: { key_id: number }) => key_id)).to.deep.equal(keys.get(child.id));
    for (const [as, of] of [
      [root, outsider],
      [outsider, child],
    ] as const) {
      expect((await read(`agent/keys?agent_id=${of.id}`, as)).error).to.equal('not_found');
    }
  });

  it('say of each child which daily limit binds it, and when it was last seen', async () => {
    await setPolicy(platform, child, { daily_spend_limit: 7_000_000 });
    await setPolicy(platform, grandchild, { daily_spend_limit: 9_000_000 });
    const unseen = await childOf(platform, root);
    const { children } = await read('agent/children?limit=100', root);
    const of = ({ id }: { id: number }) =>
      children.find(({ agent_id }: { agent_id: number }) => agent_id === id);
    expect(of(child)).to.include({ daily_spend_limit: 7 });
    expect(of(grandchild)).to.include({ daily_spend_limit: 7 });
    expect(of(unseen)).to.include({ daily_spend_limit: null, last_seen_at: null });
  });

  it('are of addresses that were withdrawn to, of the own tree alone', async () => {
    const [first, second] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
    for (const address of [first, second, first]) {
      done(
        await platform.request('POST /api/v1/wallet/withdrawals', {
          key: root.key,
          body: { amount: 1, address },
        }),
      );
    }
    const { addresses } = await read('wallet/payout-addresses', root);
    const shown = addresses.map((one: { address: string; withdrawals: number }) => [
      one.address.toLowerCase(),
      one.withdrawals,
    ]);
    expect(shown).to.deep.equal([
      [first, 2],
      [second, 1],
    ]);
    expect(Date.parse(addresses[0].usable_from)).to.be.above(Date.now());
    expect((await read('wallet/payout-addresses', outsider)).addresses).to.deep.equal([]);
    expect((await read('wallet/payout-addresses', child)).error).to.equal('forbidden');
  });
});
