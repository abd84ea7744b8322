import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { recordedPurchases } from '../orders/recorded_purchases.ts';
import { openScene, type Agent, type Scene } from './scene.ts';

/** The purchase of the scene costs 0.11. */
const ASKS = 'approval_required';
const GOES = 'escrow';

describe('what a policy says to a purchase for 0.11', () => {
  let platform: TestPlatform;
  let scene: Scene;
  before(async () => {
    platform = await TestPlatform.open();
    scene = await openScene(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { bought } = recordedPurchases(() => platform);
  const outcomeOf = ({ body }: Reply): string => body.error ?? body.status;
  const preview = async (agent: Agent) => {
    const body = { product_id: scene.product };
    return (await scene.call('POST /api/v1/orders/preview', agent, body)).body;
  };

  /** A root, a lead and a child, each with a policy or none; whether the child bought before. */
  const CASES: readonly [
    outcome: string,
    policies: { root?: object; lead?: object; child?: object },
    more?: { known?: true; by?: 'root' | 'lead' | 'child' },
  ][] = [
    [GOES, {}],
    [GOES, { child: { approval_threshold: 0.11 } }],
    [ASKS, { child: { approval_threshold: 0.109999 } }, { by: 'child' }],
    [ASKS, { child: { approval_threshold: 0 } }, { by: 'child' }],
    [GOES, { child: { approval_threshold: null } }],
    // Per amount: up to approval_threshold it goes, up to max_spend_per_tx it asks.
    [ASKS, { child: { approval_threshold: 0.1, max_spend_per_tx: 0.11 } }, { by: 'child' }],
    ['tx_limit_exceeded', { child: { approval_threshold: 0.1, max_spend_per_tx: 0.1 } }],
    [GOES, { child: { approval_threshold: 5, max_spend_per_tx: 0.11 } }],
    ['daily_limit_exceeded', { child: { approval_threshold: 0, daily_spend_limit: 0.1 } }],
    [
      'product_type_not_allowed',
      { child: { approval_threshold: 0, allowed_product_types: 'dataset' } },
    ],
    // The policy nearest the root, where several ask.
    [ASKS, { lead: { approval_threshold: 0.1 } }, { by: 'lead' }],
    [ASKS, { root: { approval_threshold: 0.1 } }, { by: 'root' }],
    [ASKS, { child: { approval_threshold: 0 }, lead: { approval_threshold: 0.1 } }, { by: 'lead' }],
    [ASKS, { lead: { approval_threshold: 0 }, root: { approval_threshold: 0.1 } }, { by: 'root' }],
    // A limit is refused before anybody is asked, whoever set it.
    ['tx_limit_exceeded', { child: { approval_threshold: 0 }, root: { max_spend_per_tx: 0.1 } }],
    ['tx_limit_exceeded', { root: { approval_threshold: 0 }, child: { max_spend_per_tx: 0.1 } }],
    // The levels.
    [GOES, { child: { governance_level: 'low', new_seller_threshold: 0 } }],
    [GOES, { child: { approval_threshold: 5, new_seller_threshold: 0 } }],
    [GOES, { child: { governance_level: 'high', approval_threshold: 0.11 } }],
    [GOES, { child: { governance_level: 'medium' } }],
    [ASKS, { child: { governance_level: 'medium', new_seller_threshold: 0.1 } }, { by: 'child' }],
    [GOES, { child: { governance_level: 'medium', new_seller_threshold: 0.11 } }],
    [GOES, { child: { governance_level: 'medium', new_seller_threshold: null } }],
    [GOES, { child: { governance_level: 'medium', new_seller_threshold: 0 } }, { known: true }],
    [
      ASKS,
      { child: { governance_level: 'medium', approval_threshold: 0.1 } },
      { known: true, by: 'child' },
    ],
    [ASKS, { lead: { governance_level: 'high', new_seller_threshold: 0 } }, { by: 'lead' }],
    [ASKS, { child: { governance_level: 'low', approval_threshold: 0 } }, { by: 'child' }],
  ];

  for (const [n, [outcome, policies, { known, by } = {}]] of CASES.entries()) {
    const title = `${JSON.stringify(policies)}${known ? ' from a seller that it knows' : ''}`;
    it(`${outcome}: ${title}`, async () => {
      const root: Agent = await platform.agent({ usd: 4.5 });
      const lead: Agent = await childOf(platform, root);
      const child: Agent = await childOf(platform, lead);
      const agents = { root, lead, child };
      if (known) expect(outcomeOf(await scene.spend('purchase', child))).to.equal(GOES);
      for (const [name, policy] of Object.entries(policies)) {
        await scene.set(root, agents[name as keyof typeof agents], policy);
      }
      const balance = await platform.balance(root);
      const said = await preview(child);
      expect([said.affordable, said.needs_approval]).to.deep.equal([
        outcome === GOES || outcome === ASKS,
        outcome === ASKS,
      ]);
      // Alone and in a batch; each asks for itself.
      const replies = await Promise.all(
        Array.from({ length: n % 2 ? 1 : 2 }, (_, key) =>
          scene.spend('purchase', child, { 'idempotency-key': `k${key}` }),
        ),
      );
      const outcomes = replies.map(outcomeOf);
      expect(outcomes).to.deep.equal(Array(replies.length).fill(outcome));
      if (outcome === ASKS) {
        const [approval] = await scene.list(root);
        expect(approval).to.deep.include({ policy_of: agents[by!].id, amount: 0.11 });
        expect(said.policy_trace).to.deep.include({ policy_of: agents[by!].id, asked: 0.11 });
      }
      const paid = outcome === GOES ? 0.11 * replies.length : 0;
      expect(await platform.balance(root)).to.be.closeTo(balance - paid, 1e-9);
    });
  }

  for (const [name, policy] of Object.entries({
    approval_threshold: { approval_threshold: 0.1 },
    new_seller_threshold: { governance_level: 'medium', new_seller_threshold: 0.1 },
  })) {
    it(`leaves it out of a batch, and does not buy it alone: ${name}`, async () => {
      const { root, child } = await scene.family(null);
      await scene.set(root, child, policy);
      const purchase = (agent: Agent) => ({ agent, product: { id: scene.product } });
      const batch = await bought(purchase(child), purchase(root), purchase(child));
      expect(batch).to.deep.equal([false, true, false]);
      expect(await bought(purchase(child))).to.deep.equal([false]);
      expect(await bought(purchase(root))).to.deep.equal([true]);
    });
  }

  it('asks about everything for a day after an anomaly, at level high', async () => {
    const { root, child } = await scene.family(null);
    const note = (age: string) =>
      platform.query(
        `insert into anomaly (agent_id, root_id, rule, seen, allowed, since, until, suspends,
                              found_at)
         select id, root_id, 'debit_burst', 2, 1, now() - interval '${age}', now(), false,
                now() - interval '${age}' from agent where id = $1`,
        [child.id],
      );
    await scene.set(root, child, { governance_level: 'high' });
    await note('25 hours');
    expect(outcomeOf(await scene.spend('an address', child))).to.equal('undeliverable');
    await note('23 hours');
    await scene.ask(child, 'an address');
    const [approval] = await scene.list(root);
    expect(approval).to.include({ rule: 'governance_level', asks_above: 0, amount: 0.002 });
    await scene.set(root, child, { governance_level: 'medium' });
    await scene.set(root, child, { approval_threshold: 1 });
    expect(outcomeOf(await scene.spend('one proxy', child))).to.equal(undefined);
    await scene.set(root, child, { approval_threshold: 0.001 });
    const { approval_id } = await scene.ask(child, 'some proxies');
    const next = (await scene.list(root)).find((one) => one.approval_id === approval_id);
    expect(next).to.include({ rule: 'approval_threshold', asks_above: 0.001 });
  });

  it('asks by the lower of two amounts, and at level low by its one', async () => {
    const { root, child } = await scene.family(0.05);
    await scene.set(root, child, { governance_level: 'medium', new_seller_threshold: 0.1 });
    await scene.ask(child);
    const [approval] = await scene.list(root);
    expect(approval).to.include({ rule: 'approval_threshold', asks_above: 0.05 });
    const low = await scene.family(0.05);
    await scene.set(low.root, low.child, { new_seller_threshold: 0 });
    await scene.ask(low.child);
    const [asked] = await scene.list(low.root);
    expect(asked).to.include({ rule: 'approval_threshold', asks_above: 0.05 });
  });
});
