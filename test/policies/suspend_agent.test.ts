import { expect } from 'chai';

import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { audit } from '../../shared/composition/audit.ts';
import { callBy, INTERFACES } from '../access/interfaces.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('suspend_agent and resume_agent', () => {
  let platform: TestPlatform;
  let product: number;
  before(async () => {
    platform = await TestPlatform.open();
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.01 };
    product = (await platform.product(await platform.agent(), goods)).id;
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const act = (what: 'suspend' | 'resume', { key }: Agent, { id }: { id: number }) =>
    platform.request(`POST /agent/monitor/${id}/${what}`, { key });
  const buy = ({ key }: Agent) =>
    platform.request('POST /api/v1/orders', { key, body: { product_id: product } });
  const statusOf = async ({ key }: Agent) =>
    (await platform.request('GET /api/v1/agent/me', { key })).body.status;
  const family = async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    return { root, child, grandchild: await childOf(platform, child) };
  };

  it('stop an agent and all below it, and let them go on', async () => {
    const { root, child, grandchild } = await family();
    const sibling = await childOf(platform, root);
    const { body } = await act('suspend', root, child);
    expect(body).to.deep.equal({ success: true, agent_id: child.id, status: 'suspended' });
    for (const stopped of [child, grandchild]) {
      const { status, body: refused } = await buy(stopped);
      expect([status, refused.error]).to.deep.equal([403, 'agent_suspended']);
      expect(refused.details.policy_trace).to.include({ rule: 'suspended', policy_of: child.id });
      const goods = { title: 'It', description: 'It.', category: 'dataset', price: 1 };
      const listing = { ...goods, stock_kind: 'unlimited', content: 'It.' };
      const call = { key: stopped.key, body: listing };
      const listed = await platform.request('POST /api/v1/products', call);
      expect(listed.body.error).to.equal('agent_suspended');
      for (const { suspension } of [refused.details, listed.body.details]) {
        expect(suspension).to.include({ agent_id: child.id, by: 'an agent', set_by: root.id });
        expect([suspension.note, suspension.anomaly]).to.deep.equal([null, null]);
      }
    }
    expect(await platform.balance(root)).to.equal(0.5);
    expect([await statusOf(child), await statusOf(grandchild)]).to.deep.equal([
      'suspended',
      'active',
    ]);
    expect((await buy(sibling)).status).to.equal(200);
    const resumed = await act('resume', root, child);
    expect(resumed.body).to.deep.equal({ success: true, agent_id: child.id, status: 'active' });
    for (const one of [child, grandchild]) expect((await buy(one)).status).to.equal(200);
  });

  it('stop nothing that is owed: vaults, refunds and what is on sale', async () => {
    const { root, child } = await family();
    const { body: order } = await buy(child);
    const { id } = await platform.product(child, { price: 0.1 });
    await act('suspend', root, child);
    const vault = await platform.request(`GET /vault/${order.order_id}`, { key: child.key });
    expect(vault.body.items).to.have.length(1);
    const body = { product_id: id };
    const bought = await platform.request('POST /api/v1/orders', {
      key: (await platform.agent()).key,
      body,
    });
    const refund = `POST /api/v1/orders/${bought.body.order_id}/refund`;
    expect((await platform.request(refund, { key: child.key })).status).to.equal(200);
  });

  it('are for the root and for agents above, by each interface', async () => {
    const { root, child, grandchild } = await family();
    const other = await platform.agent();
    for (const [caller, agent, code] of [
      [child, child, 'forbidden'],
      [grandchild, child, 'not_found'],
      [child, root, 'not_found'],
      [other, child, 'not_found'],
    ] as const) {
      expect((await act('suspend', caller, agent)).body.error).to.equal(code);
      expect(await statusOf(agent)).to.equal('active');
    }
    for (const by of INTERFACES) {
      for (const [tool, status] of [
        ['suspend_agent', 'suspended'],
        ['resume_agent', 'active'],
      ] as const) {
        const route = `POST /api/v1/agent/monitor/:agent_id/${tool.slice(0, -6)}`;
        const call = { tool, route, input: { agent_id: grandchild.id } };
        expect((await callBy(platform, by, call, `Bearer ${child.key}`)).code, by).to.equal('ok');
        expect(await statusOf(grandchild), by).to.equal(status);
      }
    }
    await act('suspend', root, root);
    expect((await buy(child)).body.error).to.equal('agent_suspended');
    await act('resume', root, root);
    expect((await buy(child)).status).to.equal(200);
  });

  it('let nobody resume what an agent above has suspended', async () => {
    const { root, child, grandchild } = await family();
    await act('suspend', root, grandchild);
    const refused = await act('resume', child, grandchild);
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'forbidden']);
    await act('suspend', child, grandchild); // changes nothing
    expect((await act('resume', child, grandchild)).body.error).to.equal('forbidden');
    expect(await statusOf(grandchild)).to.equal('suspended');
    await act('resume', root, grandchild);

    await act('suspend', child, grandchild);
    await act('suspend', root, grandchild); // takes it over
    expect((await act('resume', child, grandchild)).body.error).to.equal('forbidden');
    await act('resume', root, grandchild);
    await act('suspend', child, grandchild);
    expect((await act('resume', root, grandchild)).status).to.equal(200);
    expect(await statusOf(grandchild)).to.equal('active');
  });

  it('are told of once, with who did it, and change nothing when repeated', async () => {
    const { root, child, grandchild } = await family();
    for (const what of ['suspend', 'suspend', 'resume', 'resume'] as const) {
      expect((await act(what, child, grandchild)).status).to.equal(200);
    }
    const rows = await platform.query(
      'select status, set_by::int from suspension where agent_id = $1 order by id',
      [grandchild.id],
    );
    const set_by = child.id;
    expect(rows).to.deep.equal([
      { status: 'suspended', set_by },
      { status: 'active', set_by },
    ]);
    for (const { key } of [root, grandchild]) {
      const { body } = await platform.request('GET /api/v1/events?type=agent.*', { key });
      const told = body.events.map(({ type, data }: { type: string; data: object }) => [
        type,
        data,
      ]);
      expect(told).to.deep.equal([
        ['agent.suspended', { agent_id: grandchild.id, set_by }],
        ['agent.resumed', { agent_id: grandchild.id, set_by }],
      ]);
    }
  });

  it('refuse a key that was revoked a moment ago', async () => {
    const { root, child } = await family();
    const key = await platform.keyOf(root, ['read', 'buy', 'sell']);
    const { keys, database, secrets } = platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(platform.context, { keys: unaware });
    try {
      await act('suspend', { ...root, key }, child);
      await platform.query(
        'update api_key set revoked_at = clock_timestamp() where public_id = $1',
        [key.slice(4, 12)],
      );
      const { body } = await act('resume', { ...root, key }, child);
      expect(body.error).to.equal('invalid_key');
    } finally {
      Object.assign(platform.context, { keys });
    }
    expect(await statusOf(child)).to.equal('suspended');
  });

  it('wait for a spend that has read the status, and every later one obeys it', async () => {
    const { root, child } = await family();
    const lock = `select from ledger.lock_treasuries(array [${root.id}::bigint])`;
    const [reply] = await inQueue(platform, lock, [() => act('suspend', root, child)]);
    expect(reply!.status).to.equal(200);
    expect((await buy(child)).body.error).to.equal('agent_suspended');
  });
});
