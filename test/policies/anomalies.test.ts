import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { chargesOf } from '../wallet/charges.ts';
import { makeYesterdays } from '../wallet/yesterday.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('find_anomalies', () => {
  let platform: TestPlatform;
  let product: { id: number };
  let costly: { id: number };
  const { pay, callOf } = chargesOf(() => platform);
  before(async () => {
    platform = await TestPlatform.open();
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    const seller = await platform.agent();
    product = await platform.product(seller, { ...goods, price: 0.01 });
    costly = await platform.product(seller, { ...goods, price: 10 });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function look(): Promise<void> {
    await platform.context.refusalCounts.write();
    await runTimer(platform, 'find_anomalies');
  }
  const family = async (usd = 0) => {
    const root = await platform.agent({ usd });
    return { root, child: await childOf(platform, root) };
  };
  const anomaliesOf = async ({ key }: Agent, { id }: Agent) =>
    (await platform.request(`GET /agent/monitor/${id}`, { key })).body.anomalies;
  const times = <T>(n: number, what: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: n }, what));

  /** Odd behaviour, the most that is not odd, and how to do one more of it. */
  const rules = {
    debit_burst: {
      most: 120,
      more: ({ root, child }, n) =>
        times(n, () => pay(child, { service: 'proxy' }, callOf(child, root.id))),
    },
    same_purchase: {
      most: 5,
      more: ({ child }, n) => times(n, () => buy(platform, child, product)),
    },
    refusal_burst: {
      most: 20,
      more: async ({ child }, n) => {
        await setPolicy(platform, child, { max_spend_per_tx: 0 });
        await times(n, async () => {
          const route = 'GET /api/v1/email/validate/a@mail.example';
          const { body } = await platform.request(route, { key: child.key });
          expect(body.error).to.equal('tx_limit_exceeded');
        });
      },
    },
    vault_harvest: {
      most: 30,
      more: async ({ child }, n) => {
        const orders = await times(n, () => buy(platform, child, product));
        await asOwner(
          platform,
          `update orders set created_at = created_at - interval '2 hours'
            where id = any ('{${orders.join()}}')`,
        );
        for (const order of [...orders, ...orders]) {
          expect((await platform.request(`GET /vault/${order}`, child)).status).to.equal(200);
        }
      },
    },
  } as const satisfies Record<
    string,
    { most: number; more: (family: { root: Agent; child: Agent }, n: number) => Promise<unknown> }
  >;

  for (const [rule, { most, more }] of Object.entries(rules)) {
    it(`tells the owner of a ${rule} once, above ${most}`, async () => {
      const tree = await family(5);
      const found = async () =>
        (await anomaliesOf(tree.root, tree.child)).filter(
          (anomaly: { rule: string }) => anomaly.rule === rule,
        );
      await more(tree, most);
      await look();
      expect(await found()).to.deep.equal([]);
      await more(tree, 1);
      await Promise.all([look(), look()]);
      const [anomaly, ...others] = await found();
      expect(others).to.deep.equal([]);
      expect(anomaly).to.deep.include({ rule, agent_id: tree.child.id, seen: most + 1 });
      expect(anomaly.allowed).to.equal(most);
      const { body: me } = await platform.request('GET /api/v1/agent/me', tree.child);
      expect(me.status, 'without a policy that says so').to.equal('active');
      expect(anomaly.explanation).to.include(String(most + 1));
      const { body } = await platform.request('GET /api/v1/events?type=agent.anomaly_found', {
        key: tree.root.key,
      });
      const { anomaly_id, agent_id } = anomaly;
      const told = body.events.filter(({ data }: { data: { rule: string } }) => data.rule === rule);
      expect(told.map(({ data }: { data: object }) => data)).to.deep.equal([
        { agent_id, anomaly_id, rule },
      ]);
    });
  }

  it('finds what goes on once more, when it is as much again', async () => {
    const tree = await family(5);
    for (const [n, expected] of [
      [6, 1],
      [5, 1],
      [1, 2],
    ] as const) {
      await rules.same_purchase.more(tree, n);
      await look();
      expect(await anomaliesOf(tree.root, tree.child)).to.have.length(expected);
    }
  });

  it('compares a day with the seven before it, above $20, for all agents above too', async () => {
    const { root, child } = await family(500);
    const found = async (agent: Agent) =>
      (await anomaliesOf(root, agent)).filter(
        (anomaly: { agent_id: number }) => anomaly.agent_id === agent.id,
      );
    await buy(platform, child, costly);
    await makeYesterdays(platform, root.id);
    await buy(platform, child, costly, 3); // $44 in seven days: $31.43 a day are five times that
    await makeYesterdays(platform, root.id);
    await buy(platform, child, costly, 2);
    await look();
    expect(await found(child)).to.deep.equal([]);
    await buy(platform, child, costly);
    for (const again of [1, 2]) {
      await look();
      for (const agent of [root, child]) {
        const [anomaly, ...others] = await found(agent);
        expect(others, `look ${again}`).to.deep.equal([]);
        expect(anomaly).to.include({ rule: 'daily_spend', seen: 33, allowed: 31.428571 });
      }
    }
    const other = await family(50);
    const body = { title: 'Translate it', budget: 22 };
    const posted = await platform.request('POST /api/v1/tasks', { key: other.child.key, body });
    expect(posted.status).to.equal(200);
    await look();
    const [anomaly] = await found(other.child).catch(() => []);
    expect(anomaly).to.equal(undefined);
    const [first] = await anomaliesOf(other.root, other.child);
    expect(first).to.include({ rule: 'daily_spend', seen: 22, allowed: 20 });
  });

  it('suspends where a policy of the agent or above it says so, and not for the same again', async () => {
    const { root, child } = await family(5);
    const grandchild = await childOf(platform, child);
    const body = { auto_suspend_on_anomaly: true };
    const set = `POST /agent/monitor/${child.id}/policy`;
    expect((await platform.request(set, { key: root.key, body })).status).to.equal(200);
    const tree = { root, child: grandchild };
    const me = async ({ key }: Agent) =>
      (await platform.request('GET /api/v1/agent/me', { key })).body;
    const resume = ({ key }: Agent) =>
      platform.request(`POST /agent/monitor/${grandchild.id}/resume`, { key });

    await rules.same_purchase.more(tree, 6);
    const order = await buy(platform, grandchild, product);
    const balance = await platform.balance(root);
    await look();
    const { status, suspension } = await me(grandchild);
    expect([status, (await me(child)).status]).to.deep.equal(['suspended', 'active']);
    const [{ anomaly_id, explanation }] = await anomaliesOf(root, grandchild);
    expect(suspension).to.deep.include({ by: 'a rule', set_by: null, anomaly_id });
    expect(suspension.note).to.include(explanation).and.to.include('resume_agent');
    const monitored = await platform.request(`GET /agent/monitor/${grandchild.id}`, child);
    expect(monitored.body.suspension).to.deep.equal(suspension);

    const purchase = { key: grandchild.key, body: { product_id: product.id } };
    const refused = await platform.request('POST /api/v1/orders', purchase);
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'agent_suspended']);
    expect(refused.body.message).to.include(explanation).and.to.include('resume_agent');
    expect(refused.body.details.suspension).to.deep.equal({
      agent_id: grandchild.id,
      ...suspension,
      anomaly: { anomaly_id, rule: 'same_purchase', seen: 7, allowed: 5 },
    });
    expect(await platform.balance(root)).to.equal(balance);
    const vault = await platform.request(`GET /vault/${order}`, grandchild);
    expect(vault.status, 'what is owed goes on').to.equal(200);

    expect((await resume(grandchild)).body.error).to.equal('forbidden');
    expect((await resume(child)).status).to.equal(200);
    await look();
    expect((await me(grandchild)).status).to.equal('active');
    await rules.same_purchase.more(tree, 5);
    await look();
    expect((await me(grandchild)).status).to.equal('active');
    await rules.same_purchase.more(tree, 1);
    await look();
    expect((await me(grandchild)).status).to.equal('suspended');
    const { body: events } = await platform.request('GET /api/v1/events?type=agent.*', root);
    const types = events.events.map(({ type }: { type: string }) => type.slice(6));
    const both = ['suspended', 'anomaly_found', 'anomaly_found'];
    expect(types).to.deep.equal(['policy_changed', ...both, 'resumed', ...both]);
  });

  it('forgives what was before an owner let the agent go on', async () => {
    const tree = await family(5);
    await rules.same_purchase.more(tree, 5);
    for (const act of ['suspend', 'resume']) {
      const route = `POST /agent/monitor/${tree.child.id}/${act}`;
      expect((await platform.request(route, { key: tree.root.key })).status).to.equal(200);
    }
    await rules.same_purchase.more(tree, 5);
    await look();
    expect(await anomaliesOf(tree.root, tree.child)).to.deep.equal([]);
  });

  it('counts nothing that others decide, nor different purchases', async () => {
    const seller = await platform.agent();
    const { root, child } = await family(5);
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.01 };
    await times(3, async () => {
      const one = await platform.product(seller, goods);
      await times(2, () => buy(platform, child, one));
    });
    const single = await platform.product(seller, { price: 0.01 });
    await buy(platform, child, single);
    await times(25, async () => {
      const body = { product_id: single.id };
      const reply = await platform.request('POST /api/v1/orders', { key: child.key, body });
      expect(reply.body.error).to.equal('out_of_stock');
    });
    await look();
    const { body } = await platform.request(`GET /agent/monitor/${child.id}`, { key: root.key });
    expect([body.anomalies, body.refusals]).to.deep.equal([[], []]);
  });
});
