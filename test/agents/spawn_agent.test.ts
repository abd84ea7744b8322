import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { audit } from '../../shared/composition/audit.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { callBy } from '../access/interfaces.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { setPolicy } from '../policy.ts';

const ROUTE = 'POST /api/v1/agent/spawn';
const ALL = ['read', 'buy', 'sell'];

describe('spawn_agent', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const spawn = (key: string, body: object, headers = {}) =>
    platform.request(ROUTE, { key, body, headers });
  const spawned = async (key: string, agent_name: string, permissions = ALL) => {
    const { body } = await spawn(key, { agent_name, permissions });
    return { id: body.agent.agent_id as number, key: body.api_key.key as string };
  };
  const agentsOf = async ({ id }: { id: number }) =>
    (await platform.query('select id from agent where root_id = $1', [id])).length;

  it('makes an agent whose key allows what was asked for, and no welcome credit', async () => {
    const root = await platform.agent();
    const balance = await platform.balance(root);
    const body = { agent_name: 'buyer one', permissions: ['read', 'buy'] };
    const reply = await spawn(root.key, body);
    expect(reply.status).to.equal(200);
    const { agent, api_key, success } = reply.body;
    expect(success).to.equal(true);
    expect(agent).to.deep.include({
      agent_name: 'buyer one',
      username: `${root.username}/buyer one`,
      owner_id: root.id,
      permissions: ['read', 'buy'],
    });
    expect(api_key.key).to.match(/^vnx_/);
    const me = await platform.request('GET /api/v1/agent/me', { key: api_key.key });
    expect(me.body).to.deep.include({
      agent_id: agent.agent_id,
      username: agent.username,
      owner_id: root.id,
      root_id: root.id,
      scopes: ['read', 'buy'],
    });
    expect(await platform.balance(root), 'one treasury a tree').to.equal(balance);
    const events = await platform.query(
      `select agent_id, object_id from event where type = 'agent.spawned' and agent_id = $1`,
      [root.id],
    );
    expect(events.map(({ object_id }: { object_id: string }) => Number(object_id))).to.deep.equal([
      agent.agent_id,
    ]);
  });

  it('is a tool that takes a name, and gives only read if asked for no more', async () => {
    const root = await platform.agent();
    const request = { tool: 'spawn_agent', route: ROUTE, input: { name: 'reader' } };
    const reply = await callBy(platform, 'MCP tools/call', request, `Bearer ${root.key}`);
    const { agent, api_key } = reply.body as Reply['body'];
    expect(agent).to.deep.include({ agent_name: 'reader', permissions: ['read'] });
    const body = { product_id: 1 };
    const bought = await platform.request('POST /api/v1/orders', { key: api_key.key, body });
    expect(bought.body.error).to.equal('insufficient_scope');
  });

  it('makes an agent that spends what its root has, within the limits of all above it', async () => {
    const root = await platform.agent({ usd: 10 });
    const product = await platform.product(await platform.agent(), {
      stock_kind: 'unlimited',
      content: 'It.',
      price: 1,
    });
    const child = await spawned(root.key, 'child');
    const grandchild = await spawned(child.key, 'grandchild');
    await setPolicy(platform, child, { daily_spend_limit: 2_000_000 });
    const buy = (key: string) =>
      platform.request('POST /api/v1/orders', { key, body: { product_id: product.id } });
    const before = await platform.balance(root);
    expect((await buy(grandchild.key)).status).to.equal(200);
    expect(await platform.balance(root)).to.equal(before - 1.1);
    const refused = await buy(grandchild.key);
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'daily_limit_exceeded']);
    expect(refused.body.details.policy_trace).to.include({ policy_of: child.id });
    expect(await platform.balance(root)).to.equal(before - 1.1);
  });

  it('makes an agent that cannot buy from its own tree', async () => {
    const root = await platform.agent({ usd: 10 });
    const child = await spawned(root.key, 'seller');
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 1 };
    const { id } = await platform.product(child, goods);
    const body = { product_id: id };
    const bought = await platform.request('POST /api/v1/orders', { key: root.key, body });
    expect(bought.body.error).to.equal('self_purchase');
  });

  it('makes one agent for one Idempotency-Key, and shows its key once', async () => {
    const root = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { agent_name: 'once' };
    const first = await spawn(root.key, body, headers);
    const again = await spawn(root.key, body, headers);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.body.agent).to.deep.equal(first.body.agent);
    expect(again.body.api_key.key).to.equal(null);
    expect(await agentsOf(root)).to.equal(2);
    const rows: { text: string }[] = await platform.query('select j::text as text from job j');
    expect(rows.filter(({ text }) => text.includes(first.body.api_key.key))).to.deep.equal([]);
  });

  it('gives a name to one of two that ask for it at once, and to another tree as well', async () => {
    const [root, other] = [await platform.agent(), await platform.agent()];
    const body = { agent_name: 'Twin' };
    const replies = await Promise.all([
      spawn(root.key, body),
      spawn(root.key, { agent_name: 'twin' }),
      spawn(other.key, body),
    ]);
    expect(replies[2].status).to.equal(200);
    const [taken] = replies.filter(({ status }) => status !== 200);
    expect(taken!.body.error).to.equal('validation_error');
    expect(taken!.body.details.fields[0]).to.include({ pointer: '/name' });
    expect(await agentsOf(root)).to.equal(2);
  });

  it('makes at most six agents below one another', async () => {
    const root = await platform.agent();
    let last: { key: string } = root;
    for (let depth = 1; depth <= 6; depth += 1) last = await spawned(last.key, `depth ${depth}`);
    const refused = await spawn(last.key, { agent_name: 'depth 7' });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'forbidden']);
    expect(await agentsOf(root)).to.equal(7);
  });

  it('makes at most a thousand agents in a tree, also by many calls at once', async () => {
    const root = await platform.agent();
    await platform.query(
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, 'filler' || id, $1, $1, array [$1, id]
         from (select nextval('agent_id') as id from generate_series(1, 996)) as next`,
      [root.id],
    );
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => spawn(root.key, { agent_name: `late ${n}` })),
    );
    const made = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ body }) => body.error === 'forbidden');
    expect([made.length, refused.length]).to.deep.equal([3, 3]);
    expect(await agentsOf(root)).to.equal(1_000);
  });

  for (const [what, name] of [
    ['no visible character', '\u200b'],
    ['a slash', 'root/other'],
    ['32 characters', 'x'.repeat(32)],
    ['none', ''],
  ] as const) {
    it(`refuses a name with ${what}`, async () => {
      const root = await platform.agent();
      const { body } = await spawn(root.key, { agent_name: name });
      expect(body.error).to.equal('validation_error');
      expect(await agentsOf(root)).to.equal(1);
    });
  }

  it('refuses a key without all three scopes', async () => {
    const root = await platform.agent();
    const key = await platform.keyOf(root, ['read', 'buy']);
    expect((await spawn(key, { agent_name: 'no' })).body.error).to.equal('insufficient_scope');
    expect(await agentsOf(root)).to.equal(1);
  });

  it('refuses a key that was revoked a moment ago', async () => {
    const root = await platform.agent();
    const key = await platform.keyOf(root, ALL);
    const { keys, database, secrets } = platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(platform.context, { keys: unaware });
    const me = () => platform.request('GET /api/v1/agent/me', { key });
    try {
      expect((await me()).status).to.equal(200);
      await platform.query(
        'update api_key set revoked_at = clock_timestamp() where public_id = $1',
        [key.slice(4, 12)],
      );
      expect((await me()).status, 'this process does not know it').to.equal(200);
      expect((await spawn(key, { agent_name: 'no' })).body.error).to.equal('invalid_key');
      expect(await agentsOf(root)).to.equal(1);
    } finally {
      Object.assign(platform.context, { keys });
    }
  });
});
