import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { openScene, type Agent, type Scene } from '../approvals/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { eventsOf } from '../orders/trade.ts';

describe('a policy that is to allow more, set by an agent at level high', () => {
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

  const POLICY = {
    max_spend_per_tx: 1,
    daily_spend_limit: 5,
    approval_threshold: 0.5,
    governance_level: 'medium',
    new_seller_threshold: 0.2,
    allowed_product_types: 'serial_key,dataset',
    auto_suspend_on_anomaly: true,
    min_seller_buyers: 20,
  };

  /** A root, an agent of it whose level is high, and one below that with a policy. */
  async function family() {
    const root: Agent = await platform.agent();
    const lead: Agent = await childOf(platform, root);
    const child: Agent = await childOf(platform, lead);
    await scene.set(root, lead, { governance_level: 'high' });
    expect((await scene.set(lead, child, POLICY)).status).to.equal(200);
    return { root, lead, child };
  }
  const policyOf = async (owner: Agent, agent: Agent) =>
    (await scene.set(owner, agent, {})).body.policy;

  it('waits for an owner of that agent; what is stricter, or the same, does not', async () => {
    const { root, lead, child } = await family();
    const looser = [
      { max_spend_per_tx: 1.1 },
      { daily_spend_limit: null },
      { approval_threshold: 0.6 },
      { approval_threshold: null },
      { new_seller_threshold: null },
      { governance_level: 'low' },
      { allowed_product_types: '' },
      { allowed_product_types: 'serial_key,api_service' },
      { auto_suspend_on_anomaly: false },
      { min_seller_buyers: 19 },
      { min_seller_buyers: null },
      { max_spend_per_tx: 0.1, daily_spend_limit: 6 },
    ];
    for (const change of looser) {
      const { status, body } = await scene.set(lead, child, change);
      expect([status, body.status], JSON.stringify(change)).to.eql([202, 'approval_required']);
    }
    const listed = await scene.list(root);
    expect(listed).to.have.length(looser.length);
    expect(listed[0]).to.deep.include({
      operation: 'set_policy',
      agent_id: lead.id,
      policy_of: lead.id,
      rule: 'governance_level',
      amount: 0,
      asks_above: null,
      product_type: null,
      changes: { agent_id: child.id, fields: [{ field: 'daily_spend_limit', from: 5, to: 6 }] },
      available_actions: ['decide_approval'],
    });
    expect(await policyOf(root, child)).to.deep.equal({
      ...POLICY,
      allowed_product_types: 'serial_key,dataset',
    });
    const stricter = {
      max_spend_per_tx: 0.9,
      daily_spend_limit: 5,
      approval_threshold: 0,
      new_seller_threshold: 0.1,
      governance_level: 'high',
      allowed_product_types: 'dataset',
      auto_suspend_on_anomaly: true,
      min_seller_buyers: 21,
    };
    expect((await scene.set(lead, child, stricter)).status).to.equal(200);
    expect(await policyOf(root, child)).to.deep.equal(stricter);
  });

  it('is set once it is approved, by the agent that asked and with the approval', async () => {
    const { root, lead, child } = await family();
    const { body: asked } = await scene.set(lead, child, { daily_spend_limit: null });
    const own = await scene.decide(lead, asked.approval_id, 'approve');
    expect([own.status, own.body.error]).to.deep.equal([403, 'forbidden']);
    // Meanwhile another field changes, and stays so.
    await scene.set(root, child, { max_spend_per_tx: 0.3 });
    await scene.decide(root, asked.approval_id, 'approve');
    const job = await scene.ended(asked, lead);
    expect(job.result.policy).to.include({ daily_spend_limit: null, max_spend_per_tx: 0.3 });
    expect(await policyOf(root, child)).to.include({ daily_spend_limit: null });
    const [version] = await platform.query(
      `select set_by::int, key_id, approval_id::int from policy_version
        where agent_id = $1 order by version desc limit 1`,
      [child.id],
    );
    expect(version).to.deep.equal({
      set_by: lead.id,
      key_id: null,
      approval_id: asked.approval_id,
    });
    expect(await eventsOf(platform, lead)).to.include.members([
      'approval.requested',
      'approval.approved',
      'agent.policy_changed',
    ]);
  });

  it('waits once more where the policy of an agent above is at level high by then', async () => {
    const root: Agent = await platform.agent();
    const top: Agent = await childOf(platform, root);
    const lead: Agent = await childOf(platform, top);
    const child: Agent = await childOf(platform, lead);
    await scene.set(top, lead, { governance_level: 'high' });
    expect((await scene.set(lead, child, POLICY)).status).to.equal(200);
    const { body: asked } = await scene.set(lead, child, { daily_spend_limit: 6 });
    await scene.set(root, top, { governance_level: 'high' });
    expect((await scene.decide(top, asked.approval_id, 'approve')).status).to.equal(200);
    const [again] = await eventually(
      () => scene.list(root),
      (listed) => listed.length === 1,
    );
    expect(again).to.include({ policy_of: top.id, status: 'pending' });
    expect(await policyOf(root, child)).to.include({ daily_spend_limit: 5 });
    await scene.decide(root, again!.approval_id, 'approve');
    await scene.ended(asked, lead);
    expect(await policyOf(root, child)).to.include({ daily_spend_limit: 6 });
  });

  it('stays as it was when that is denied', async () => {
    const { root, lead, child } = await family();
    const { body: asked } = await scene.set(lead, child, { daily_spend_limit: 50 });
    await scene.decide(root, asked.approval_id, 'deny');
    const job = await scene.ended(asked, lead);
    expect([job.http_status, job.error.error]).to.deep.equal([403, 'approval_denied']);
    expect(await policyOf(root, child)).to.include({ daily_spend_limit: 5 });
  });

  it('waits where an agent above has that level, for whoever is above that one, or the root', async () => {
    const { root, lead, child } = await family();
    await scene.set(root, lead, { governance_level: 'medium' });
    expect((await scene.set(lead, child, { daily_spend_limit: 6 })).status).to.equal(200);
    await scene.set(root, lead, { governance_level: 'high' });
    await scene.set(root, root, { governance_level: 'high' });
    for (const [setter, agent, change] of [
      [lead, child, { daily_spend_limit: 7 }],
      [root, lead, { new_seller_threshold: null }],
      [root, root, { governance_level: 'low' }],
    ] as const) {
      const { body } = await scene.set(setter, agent, change);
      expect(body.status).to.equal('approval_required');
      const [first] = await scene.list(root);
      expect(first).to.deep.include({ policy_of: root.id, approval_id: body.approval_id });
      await scene.decide(root, body.approval_id, 'approve');
      expect(await scene.ended(body, setter)).to.include({ status: 'complete' });
    }
    expect((await scene.set(root, root, { new_seller_threshold: null })).status).to.equal(200);
  });
});
