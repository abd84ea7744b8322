import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { audit } from '../../shared/composition/audit.ts';
import { callBy, INTERFACES } from '../access/interfaces.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { inQueue } from '../in_queue.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

const NO_POLICY = {
  governance_level: 'low',
  max_spend_per_tx: null,
  daily_spend_limit: null,
  approval_threshold: null,
  new_seller_threshold: 1,
  allowed_product_types: null,
  auto_suspend_on_anomaly: false,
  min_seller_buyers: null,
};

describe('set_policy', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = ({ key }: Agent, { id }: { id: number }, body: object, headers = {}) =>
    platform.request(`POST /agent/monitor/${id}/policy`, { key, body, headers });
  /** The policy of an agent, by a call that changes nothing. */
  const policyOf = async (owner: Agent, agent: Agent) => (await set(owner, agent, {})).body;

  it('sets every field, changes those that are sent, and lifts a limit by null', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const all = {
      governance_level: 'high',
      max_spend_per_tx: 2.5,
      daily_spend_limit: 10,
      approval_threshold: 1.5,
      new_seller_threshold: 0.2,
      allowed_product_types: 'dataset, serial_key',
      auto_suspend_on_anomaly: true,
      min_seller_buyers: 20,
    };
    const first = await set(root, child, all);
    expect(first.status).to.equal(200);
    const policy = { ...all, allowed_product_types: 'serial_key,dataset' };
    expect(first.body).to.deep.equal({
      success: true,
      agent_id: child.id,
      version: 1,
      policy,
      effective: {
        max_spend_per_tx: 2.5,
        daily_spend_limit: 10,
        approval_threshold: 1.5,
        allowed_product_types: 'serial_key,dataset',
      },
    });
    const { body } = await set(root, child, { daily_spend_limit: 7.000001 });
    expect(body).to.deep.include({
      version: 2,
      policy: { ...policy, daily_spend_limit: 7.000001 },
    });
    for (const field of Object.keys(all)) await set(root, child, { [field]: null });
    expect(await policyOf(root, child)).to.deep.include({
      version: 10,
      policy: { ...NO_POLICY, new_seller_threshold: null },
    });
    await set(root, child, { allowed_product_types: 'dataset' });
    await set(root, child, { allowed_product_types: '' });
    expect(await policyOf(root, child)).to.deep.include({
      version: 12,
      policy: { ...NO_POLICY, new_seller_threshold: null },
    });
  });

  it('is the same by its other path and by each interface of MCP', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const route = 'POST /api/v1/agent/monitor/:agent_id/policy';
    for (const [n, by] of INTERFACES.entries()) {
      const input = { agent_id: child.id, max_spend_per_tx: n + 1 };
      const call = { tool: 'set_policy', route, input };
      const { body } = await callBy(platform, by, call, `Bearer ${root.key}`);
      expect(body, by).to.deep.include({ version: n + 1, agent_id: child.id });
      expect((body as Reply['body']).policy, by).to.include({ max_spend_per_tx: n + 1 });
    }
  });

  it('says what holds under the agents above', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const grandchild = await childOf(platform, child);
    const types = 'dataset,api_service';
    await set(root, root, { daily_spend_limit: 5, allowed_product_types: types });
    await set(root, child, {
      max_spend_per_tx: 2,
      daily_spend_limit: 8,
      approval_threshold: 1,
    });
    const { body } = await set(child, grandchild, {
      max_spend_per_tx: 3,
      allowed_product_types: 'serial_key,api_service',
    });
    const effective = { max_spend_per_tx: 2, daily_spend_limit: 5, approval_threshold: 1 };
    expect(body.effective).to.deep.equal({ ...effective, allowed_product_types: 'api_service' });
    await set(root, child, { allowed_product_types: 'dataset' });
    expect((await policyOf(root, grandchild)).effective).to.deep.equal({
      ...effective,
      allowed_product_types: '',
    });
  });

  it('is for the root and for agents above, and nobody widens itself', async () => {
    const [root, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, root);
    const [sibling, grandchild] = [await childOf(platform, root), await childOf(platform, child)];
    await set(root, child, { daily_spend_limit: 1 });
    const wider = { daily_spend_limit: null };
    for (const [caller, agent, code] of [
      [child, child, 'forbidden'],
      [sibling, child, 'not_found'],
      [grandchild, child, 'not_found'],
      [child, root, 'not_found'],
      [other, child, 'not_found'],
    ] as const) {
      expect((await set(caller, agent, wider)).body.error).to.equal(code);
    }
    const key = await platform.keyOf(root, ['read', 'buy']);
    expect((await set({ ...root, key }, child, wider)).body.error).to.equal('insufficient_scope');
    expect(await policyOf(root, child)).to.deep.include({
      version: 1,
      policy: { ...NO_POLICY, daily_spend_limit: 1 },
    });
    expect((await set(child, grandchild, { daily_spend_limit: 9 })).body.effective).to.include({
      daily_spend_limit: 1,
    });
  });

  it('refuses what is no policy, names the field, and changes nothing', async () => {
    const root = await platform.agent();
    for (const [field, value] of [
      ['max_spend_per_tx', -1],
      ['max_spend_per_tx', 0.0000001],
      ['daily_spend_limit', 1_000_001],
      ['daily_spend_limit', 'ten'],
      ['allowed_product_types', 'dataset,cars'],
      ['allowed_product_types', ','],
      ['allowed_product_types', ['dataset']],
      ['governance_level', 'none'],
      ['auto_suspend_on_anomaly', 'yes'],
      ['version', 5],
      ['owner', 1],
    ] as const) {
      const { status, body } = await set(root, root, { daily_spend_limit: 1, [field]: value });
      expect([status, body.error], `${field} ${String(value)}`).to.deep.equal([
        422,
        'validation_error',
      ]);
      expect(body.details.fields[0].pointer).to.equal(`/${field}`);
    }
    expect(await policyOf(root, root)).to.deep.include({ version: 0, policy: NO_POLICY });
  });

  it('refuses a key that was revoked a moment ago', async () => {
    const root = await platform.agent();
    const key = await platform.keyOf(root, ['read', 'buy', 'sell']);
    const { keys, database, secrets } = platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(platform.context, { keys: unaware });
    try {
      await set({ ...root, key }, root, { daily_spend_limit: 1 });
      await platform.query(
        'update api_key set revoked_at = clock_timestamp() where public_id = $1',
        [key.slice(4, 12)],
      );
      const { body } = await set({ ...root, key }, root, { daily_spend_limit: null });
      expect(body.error).to.equal('invalid_key');
    } finally {
      Object.assign(platform.context, { keys });
    }
    expect((await policyOf(root, root)).policy.daily_spend_limit).to.equal(1);
  });

  it('keeps who set what, and changes nothing when it is repeated', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const grandchild = await childOf(platform, child);
    await set(root, grandchild, { daily_spend_limit: 5, max_spend_per_tx: 1 });
    await set(child, grandchild, { daily_spend_limit: 3 });
    await set(child, grandchild, { daily_spend_limit: 3 });
    const versions = await platform.query(
      `select version, daily_spend_limit::int as daily, set_by::int, k.agent_id::int as key_of
         from policy_version v join api_key k on k.id = v.key_id
        where v.agent_id = $1 order by version`,
      [grandchild.id],
    );
    expect(versions).to.deep.equal([
      { version: 1, daily: 5_000_000, set_by: root.id, key_of: root.id },
      { version: 2, daily: 3_000_000, set_by: child.id, key_of: child.id },
    ]);
    const events = await platform.query(
      `select agent_id::int, object_id::int, data ->> 'version' as version from event
        where type = 'agent.policy_changed' and root_id = $1 order by id`,
      [root.id],
    );
    expect(events).to.deep.equal([
      { agent_id: grandchild.id, object_id: grandchild.id, version: '1' },
      { agent_id: grandchild.id, object_id: grandchild.id, version: '2' },
      { agent_id: child.id, object_id: grandchild.id, version: '2' },
    ]);
  });

  it('is not undone by a late repeat of an older call with its Idempotency-Key', async () => {
    const root = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await set(root, root, { daily_spend_limit: 9 }, headers);
    await set(root, root, { daily_spend_limit: 1 });
    const late = await set(root, root, { daily_spend_limit: 9 }, headers);
    expect(late.text).to.equal(first.text);
    expect((await policyOf(root, root)).policy.daily_spend_limit).to.equal(1);
  });

  it('waits for a spend that has read the policies, and every later one obeys it', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const lock = `select from ledger.lock_treasuries(array [${root.id}::bigint])`;
    const setting = () => set(root, child, { daily_spend_limit: 0 });
    const [reply] = await inQueue(platform, lock, [setting]);
    expect(reply!.status).to.equal(200);
    const { body } = await platform.request('GET /api/v1/email/validate/a@mail.example', child);
    expect(body.error).to.equal('daily_limit_exceeded');
  });
});
