import { expect } from 'chai';

import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf, runSweep } from '../orders/trade.ts';
import { openScene, SPENDS, type Agent, type Scene, type SpendName } from './scene.ts';

describe('a call that an owner has to approve', () => {
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

  const names = Object.keys(SPENDS) as SpendName[];
  const spentBy = async ({ id }: Agent) => {
    const [{ amount }] = await platform.query(
      'select amount::int / 1e6::float as amount from spend where agent_id = $1',
      [id],
    );
    return amount as number;
  };

  const TITLES = { purchase: 'A serial key', 'a task': 'Count', labor: 'Cat or dog' };

  for (const name of names) {
    const { price, operation } = SPENDS[name];

    it(`is answered 202, and performed by the server when it is approved: ${name}`, async () => {
      const { root, child } = await scene.family();
      const asked = await scene.ask(child, name);
      expect(await platform.balance(root)).to.equal(5);
      const { body: waiting } = await scene.call(`GET ${asked.poll}`, child);
      expect(waiting).to.deep.include({ operation, status: 'pending', approval: asked });
      const [listed, ...others] = await scene.list(root);
      expect(others).to.deep.equal([]);
      expect(listed).to.deep.include({
        approval_id: asked.approval_id,
        status: 'pending',
        agent_id: child.id,
        operation,
        amount: price,
        rule: 'approval_threshold',
        asks_above: 0,
        policy_of: child.id,
        available_actions: ['decide_approval'],
        // Facts that an owner has to know to decide.
        title: (TITLES as Record<string, string>)[name] ?? null,
        seller: name === 'purchase' ? scene.seller.username : null,
        quantity: { 'some proxies': 10, 'a batch of addresses': 3 }[name as string] ?? 1,
        changes: null,
      });
      const decided = await scene.decide(root, asked.approval_id, 'approve');
      expect([decided.status, decided.body.status]).to.deep.equal([200, 'approved']);
      const job = await scene.ended(asked, child);
      expect(job).to.include({ status: 'complete' });
      expect(await platform.balance(root)).to.be.closeTo(5 - price, 1e-9);
      expect(await spentBy(child)).to.be.closeTo(price, 1e-9);
      if (operation === 'proxy_list') {
        for (const { ip_port } of job.result.proxies) expect(ip_port).to.match(/:\d+$/);
      }
      if (operation === 'proxy_fetch_one') expect(job.result.ip_port).to.match(/:\d+$/);
    });

    it(`is refused when it is denied, with the money as it was: ${name}`, async () => {
      const { root, child } = await scene.family();
      const asked = await scene.ask(child, name, { 'idempotency-key': 'one' });
      expect((await scene.decide(root, asked.approval_id, 'deny')).body.status).to.equal('denied');
      const job = await scene.ended(asked, child);
      expect([job.status, job.http_status, job.error.error]).to.deep.equal([
        'failed',
        403,
        'approval_denied',
      ]);
      expect([await platform.balance(root), await spentBy(child)]).to.deep.equal([5, 0]);
      const repeat = await scene.spend(name, child, { 'idempotency-key': 'one' });
      expect(repeat.body).to.deep.equal(job.error);
    });
  }

  it('stores nothing that was called with a write but sealed, and no address that it bought', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child, 'some proxies', { 'idempotency-key': 'one' });
    const read = () =>
      platform.query(
        'select input, answer, sealed_input is not null as is_sealed from job where agent_id = $1',
        [child.id],
      );
    expect(await read()).to.deep.equal([{ input: {}, answer: null, is_sealed: true }]);
    await scene.decide(root, asked.approval_id, 'approve');
    const job = await scene.ended(asked, child);
    const [{ answer, is_sealed }] = await read();
    expect(is_sealed).to.equal(false);
    const addresses = answer.proxies.map(({ ip_port }: { ip_port: string }) => ip_port);
    expect(addresses).to.deep.equal(Array(10).fill(''));
    // A repeat of the call has them too.
    const repeat = await scene.spend('some proxies', child, { 'idempotency-key': 'one' });
    expect(repeat.body).to.deep.equal(job.result);
    expect(await platform.balance(root)).to.be.closeTo(4.99, 1e-9);
  });

  it('is joined by its repeats, and by equal calls without a key', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child);
    for (const same of [await scene.ask(child), await scene.ask(child)]) {
      expect(same).to.deep.equal(asked);
    }
    const keyed = await scene.ask(child, 'purchase', { 'idempotency-key': 'one' });
    expect(keyed.approval_id).not.to.equal(asked.approval_id);
    expect(await scene.ask(child, 'purchase', { 'idempotency-key': 'one' })).to.deep.equal(keyed);
    expect(await scene.list(root)).to.have.length(2);
    for (const { approval_id } of [asked, keyed]) await scene.decide(root, approval_id, 'approve');
    await Promise.all([asked, keyed].map((one) => scene.ended(one, child)));
    expect(await spentBy(child)).to.be.closeTo(0.22, 1e-9);
    // A later call is another call.
    expect((await scene.ask(child)).approval_id).not.to.equal(asked.approval_id);
  });

  it('is waited for until it was decided and done, or for as long as was asked', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child);
    const startedAt = performance.now();
    const early = await scene.call(`GET ${asked.poll}?wait=1`, child);
    expect(early.body).to.deep.include({ status: 'pending', approval: asked });
    expect(performance.now() - startedAt).to.be.greaterThan(990);
    const waiting = scene.call(`GET ${asked.poll}?wait=20`, child);
    await scene.decide(root, asked.approval_id, 'approve');
    expect((await waiting).body).to.include({ status: 'complete' });
  });

  it('is taken back by the agent that called, and by no other', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child);
    const byOwner = await scene.decide(root, asked.approval_id, 'cancel');
    expect([byOwner.status, byOwner.body.error]).to.deep.equal([403, 'forbidden']);
    await scene.decide(child, asked.approval_id, 'cancel');
    const { error } = await scene.ended(asked, child);
    expect(error.error).to.equal('approval_cancelled');
    const late = await scene.decide(root, asked.approval_id, 'approve');
    expect([late.status, late.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(await spentBy(child)).to.equal(0);
  });

  it('is refused when nobody has decided in time', async () => {
    const { root, child } = await scene.family();
    const [asked, other] = [await scene.ask(child), await scene.ask(child, 'an address')];
    expect((Date.parse(asked.expires_at) - Date.now()) / 3_600_000).to.be.within(23.5, 24);
    await platform.query(
      `update approval set expires_at = now() - interval '1 second' where id = $1`,
      [asked.approval_id],
    );
    const late = await scene.decide(root, asked.approval_id, 'approve');
    expect([late.status, late.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(await runSweep(platform, 'expire_approvals')).to.deep.equal({ expired: 1, failed: 0 });
    const job = await scene.ended(asked, child);
    expect([job.http_status, job.error.error]).to.deep.equal([409, 'approval_expired']);
    expect((await scene.list(root)).map(({ approval_id }) => approval_id)).to.deep.equal([
      other.approval_id,
    ]);
    expect(await eventsOf(platform, child)).to.include('approval.expired');
    // Then the same call asks anew.
    expect((await scene.ask(child)).approval_id).not.to.equal(asked.approval_id);
  });

  it('is decided once and for all: a decision is final for SQL too', async () => {
    const { root, child } = await scene.family();
    const { approval_id } = await scene.ask(child);
    await scene.decide(root, approval_id, 'deny');
    const change = `update approval set status = 'pending', decided_at = null, decided_by = null,
                           key_id = null where id = $1`;
    const refused = await platform.query(change, [approval_id]).catch((error: Error) => error);
    expect(String(refused)).to.include('is final');
  });

  it('is told to the agent that called and to everyone who may decide', async () => {
    const root = await platform.agent({ usd: 4.5 });
    const lead = await childOf(platform, root);
    const [child, sibling] = [await childOf(platform, lead), await childOf(platform, lead)];
    await scene.set(lead, child, { approval_threshold: 0.1 });
    const asked = await scene.ask(child);
    await scene.decide(lead, asked.approval_id, 'approve');
    await scene.ended(asked, child);
    for (const agent of [child, lead]) {
      const types = (await eventsOf(platform, agent)).filter((type) =>
        type.startsWith('approval.'),
      );
      expect(types).to.deep.equal(['approval.requested', 'approval.approved']);
    }
    const { body } = await scene.call('GET /api/v1/events?type=approval.*', root);
    const [event] = body.events.filter((one: { agent_id: number }) => one.agent_id === child.id);
    expect(event).to.deep.include({
      type: 'approval.requested',
      object: { kind: 'approval', id: asked.approval_id, status: 'pending' },
      data: { agent_id: child.id, amount: 0.11, quantity: 1, product_id: scene.product },
    });
    expect(await eventsOf(platform, sibling)).to.deep.equal([]);
  });

  it('is not decided by a key that was revoked a moment ago', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child);
    const key = await platform.keyOf(root, ['read', 'buy', 'sell']);
    const { keys, database, secrets } = platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(platform.context, { keys: unaware });
    try {
      await scene.list({ ...root, key });
      const revoke = 'update api_key set revoked_at = clock_timestamp() where public_id = $1';
      await platform.query(revoke, [key.slice(4, 12)]);
      const { body } = await scene.decide({ ...root, key }, asked.approval_id, 'approve');
      expect(body.error).to.equal('invalid_key');
    } finally {
      Object.assign(platform.context, { keys });
    }
    expect(await scene.list(root)).to.have.length(1);
  });

  it('is decided by an agent above the one whose policy asks, and by no other', async () => {
    const root = await platform.agent({ usd: 4.5 });
    const lead = await childOf(platform, root);
    const child = await childOf(platform, lead);
    const [other, sibling] = [await platform.agent(), await childOf(platform, root)];
    // Who may decide for both policies is above both.
    await scene.set(root, lead, { approval_threshold: 0.1 });
    await scene.set(lead, child, { approval_threshold: 0.05 });
    const asked = await scene.ask(child);
    for (const [agent, code, actions] of [
      [child, 'forbidden', ['cancel_approval']],
      [lead, 'forbidden', []],
      [sibling, 'not_found', undefined],
      [other, 'not_found', undefined],
    ] as const) {
      const { body } = await scene.decide(agent, asked.approval_id, 'approve');
      expect(body.error).to.equal(code);
      const [listed] = await scene.list(agent);
      expect(listed?.available_actions).to.deep.equal(actions);
    }
    expect(await scene.list(root)).to.have.length(1);
    await scene.decide(root, asked.approval_id, 'approve');
    expect(await scene.ended(asked, child)).to.include({ status: 'complete' });
  });
});
