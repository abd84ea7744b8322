import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { callBy, INTERFACES } from '../access/interfaces.ts';
import { childOf } from '../agents/child.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { chargesOf } from '../wallet/charges.ts';
import { makeYesterdays } from '../wallet/yesterday.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('monitor_agent', () => {
  let platform: TestPlatform;
  let seller: Agent & { username: string };
  let licence: { id: number };
  let other: Agent & { username: string };
  let weather: { id: number };
  const { pay, refund, callOf } = chargesOf(() => platform);
  before(async () => {
    platform = await TestPlatform.open();
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    seller = await platform.agent();
    licence = await platform.product(seller, { ...goods, price: 1 });
    other = await platform.agent();
    weather = await platform.product(other, { ...goods, price: 0.1, category: 'api_service' });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const monitor = async ({ key }: { key: string }, { id }: { id: number }, query = '') =>
    (await platform.request(`GET /agent/monitor/${id}${query}`, { key })).body;
  const dayOf = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const family = async (usd = 20) => {
    const root = await platform.agent({ usd });
    const child = await childOf(platform, root);
    return { root, child, grandchild: await childOf(platform, child) };
  };

  it('shows what an agent and all below it spent, by day, category and counterparty', async () => {
    const { root, child, grandchild } = await family();
    await buy(platform, child, licence);
    await makeYesterdays(platform, root.id);
    await makeYesterdays(platform, root.id);
    // In the last moments of that day: ids say only about when an order was made.
    await asOwner(
      platform,
      `update orders set created_at = timezone('UTC', spent_on + time '23:59:50')
        where buyer_id = ${child.id}`,
    );
    await buy(platform, grandchild, licence, 2);
    await buy(platform, child, weather);
    await pay(child, { service: 'proxy', units: 50 }, callOf(child, root.id));
    await buy(platform, root, licence); // not of the child
    const metered = { agent_id: null, username: null, amount: 0.05, count: 1 };
    const { spend } = await monitor(root, child);
    expect(spend).to.deep.equal({
      total: 3.46,
      by_day: [
        { day: dayOf(0), amount: 2.36 },
        { day: dayOf(2), amount: 1.1 },
      ],
      by_category: [
        { category: 'serial_key', amount: 3.3, count: 2 },
        { category: 'api_service', amount: 0.11, count: 1 },
        { category: 'proxy_service', amount: 0.05, count: 1 },
      ],
      by_counterparty: [
        { agent_id: seller.id, username: seller.username, amount: 3.3, count: 2 },
        { agent_id: other.id, username: other.username, amount: 0.11, count: 1 },
        metered,
      ],
    });
    const today = (await monitor(root, child, '?days=2')).spend;
    expect(today.total).to.equal(2.36);
    expect(today.by_category[0]).to.deep.include({ amount: 2.2, count: 1 });
    expect((await monitor(root, root)).spend.total).to.equal(4.56);
    expect((await monitor(child, grandchild)).spend.total).to.equal(2.2);
  });

  it('leaves out what was refunded, also of a day that is over', async () => {
    const { root, child } = await family();
    await buy(platform, child, weather);
    await makeYesterdays(platform, root.id);
    const order = await buy(platform, child, licence);
    const charge = await pay(child, { units: 10 }, callOf(child, root.id));
    await makeYesterdays(platform, root.id);
    await buy(platform, child, weather); // for it the day is over; for nobody else
    const refunded = await platform.request(`POST /api/v1/orders/${order}/refund`, seller);
    expect(refunded.status).to.equal(200);
    await refund(charge, 'unit:1', 4_000n);
    const { spend } = await monitor(root, child);
    expect(spend.by_day).to.deep.equal([
      { day: dayOf(0), amount: 0.11 },
      { day: dayOf(1), amount: 0.006 },
      { day: dayOf(2), amount: 0.11 },
    ]);
    expect(spend.by_category).to.deep.equal([
      { category: 'api_service', amount: 0.22, count: 2 },
      { category: 'proxy_service', amount: 0.006, count: 1 },
      { category: 'serial_key', amount: 0, count: 1 },
    ]);
  });

  it('shows the policy of the agent, and what those above it leave of it', async () => {
    const { root, child, grandchild } = await family();
    await setPolicy(platform, child, { daily_spend_limit: 2_000_000 });
    await setPolicy(platform, grandchild, { max_spend_per_tx: 500_000, daily_spend_limit: 9e6 });
    const { policy, effective, ...rest } = await monitor(root, grandchild);
    expect(policy).to.include({ max_spend_per_tx: 0.5, daily_spend_limit: 9 });
    expect(effective).to.include({ max_spend_per_tx: 0.5, daily_spend_limit: 2 });
    expect(rest).to.include({ agent_id: grandchild.id, status: 'active' });
  });

  it('shows the calls below it that wait for an owner, and no others', async () => {
    const { root, child, grandchild } = await family();
    const body = { approval_threshold: 0 };
    await platform.request(`POST /agent/monitor/${child.id}/policy`, { key: root.key, body });
    for (const { key } of [child, grandchild]) {
      const order = { product_id: licence.id };
      const reply = await platform.request('POST /api/v1/orders', { key, body: order });
      expect(reply.body.status).to.equal('approval_required');
    }
    const waiting = async (owner: Agent, agent: Agent) =>
      (await monitor(owner, agent)).pending_approvals.map(
        ({
          agent_id,
          operation,
          amount,
        }: {
          agent_id: number;
          operation: string;
          amount: number;
        }) => [agent_id, operation, amount].join(' '),
      );
    const asked = ({ id }: Agent) => `${id} purchase_product 1.1`;
    expect(await waiting(root, child)).to.deep.equal([asked(grandchild), asked(child)]);
    expect(await waiting(child, grandchild)).to.deep.equal([asked(grandchild)]);
    expect(await platform.balance(root)).to.equal(20.5);
  });

  it('is for the root and for agents above, by each interface', async () => {
    const { root, child, grandchild } = await family();
    for (const by of INTERFACES) {
      for (const [caller, agent, code] of [
        [root, grandchild, 'ok'],
        [child, grandchild, 'ok'],
        [root, root, 'ok'],
        [child, child, 'forbidden'],
        [grandchild, child, 'not_found'],
        [seller, child, 'not_found'],
      ] as const) {
        const route = 'GET /api/v1/agent/monitor/:agent_id';
        const call = { tool: 'monitor_agent', route, input: { agent_id: agent.id } };
        const answer = await callBy(platform, by, call, `Bearer ${caller.key}`);
        expect(answer.code, by).to.equal(code);
      }
    }
    for (const days of [0, 31]) {
      expect((await monitor(root, child, `?days=${days}`)).error).to.equal('validation_error');
    }
  });
});
