import { expect } from 'chai';

import { CURSOR, OAuthRig } from '../api/oauth/rig.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { eventually } from '../harness.ts';

describe('connections', () => {
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open({ workers: false })));
  after(() => rig.close());

  /** An owner, and an app that it allowed. */
  async function connected(how: { scopes?: string[]; limit?: string } = {}) {
    const owner = await rig.platform.agent({ usd: 10 });
    const flow = await rig.authorize(
      { ...CURSOR },
      { username: owner.username, ...how },
      { scope: 'read buy sell' },
    );
    const tokens = await flow.exchange();
    const { connection_id: id } = (await list(owner))[0];
    return { owner, flow, id, token: tokens.access_token, refresh: tokens.refresh_token };
  }
  const list = async (owner: { key: string }) =>
    (await rig.platform.request('GET /api/v1/connections', { key: owner.key })).body.connections;
  const revoke = (owner: { key: string }, id: number) =>
    rig.platform.request(`DELETE /api/v1/connections/${id}`, { key: owner.key });
  const update = (owner: { key: string }, id: number, body: object) =>
    rig.platform.request(`PATCH /api/v1/connections/${id}`, { key: owner.key, body });
  const ended = (token: string) =>
    eventually(
      async () => (await rig.platform.request('GET /api/v1/agent/me', { key: token })).status,
      (status) => status === 401,
    );

  it('are listed with what each may do and spend', async () => {
    const { owner, id, token } = await connected({ limit: '2.5' });
    const me = (await rig.platform.request('GET /api/v1/agent/me', { key: token })).body;
    const [connection] = await list(owner);
    expect(connection).to.deep.include({
      connection_id: id,
      agent_id: me.agent_id,
      app: 'Cursor',
      host: 'cursor://anysphere.cursor-mcp',
      is_proven: false,
      scopes: ['read', 'buy'],
      daily_spend_limit: 2.5,
      spent_today: 0,
      status: 'active',
      revoked_at: null,
    });
    const { body } = await rig.platform.request(`GET /agent/monitor/${me.agent_id}`, {
      key: owner.key,
    });
    expect(body.policy.daily_spend_limit).to.equal(2.5);
  });

  it('of others do not exist, and an app sees none', async () => {
    const { id, token } = await connected();
    const other = await rig.platform.agent();
    for (const reply of [await update(other, id, { scopes: ['read'] }), await revoke(other, id)]) {
      expect([reply.status, reply.body.error]).to.deep.equal([404, 'not_found']);
    }
    const asApp = await rig.platform.request('GET /api/v1/connections', { key: token });
    expect(asApp.body.error).to.equal('insufficient_scope');
  });

  it('end within a second everywhere: token, refresh token, and agents that the app spawned', async () => {
    const all = { scopes: ['read', 'buy', 'sell'] };
    const { owner, flow, id, token, refresh } = await connected(all);
    const spawned = await rig.platform.request('POST /api/v1/agent/spawn', {
      key: token,
      body: { agent_name: 'below', permissions: ['read', 'buy', 'sell'] },
    });
    const below = spawned.body.api_key.key;
    const proxyKey = await rig.platform.request('GET /api/v1/proxy/my-key', { key: token });
    expect(proxyKey.status, proxyKey.text).to.equal(200);

    const reply = await revoke(owner, id);
    expect([reply.status, reply.body.status]).to.deep.equal([200, 'revoked']);
    await ended(token);
    await ended(below);
    expect(await flow.refresh(refresh)).to.include({ error: 'invalid_grant' });
    const [{ n }] = await rig.platform.query(
      `select count(*)::int as n from proxy_key p join agent a on a.id = p.agent_id
        where $1::bigint = any (a.lineage)`,
      [owner.id],
    );
    expect(n).to.equal(0);
    const repeated = await revoke(owner, id);
    expect(repeated.body).to.deep.equal(reply.body);
    expect((await update(owner, id, { scopes: ['read'] })).body.error).to.equal(
      'invalid_transition',
    );
  });

  it('are ended by no key that was revoked meanwhile', async () => {
    const { owner, id, token } = await connected();
    const { keys, database, secrets } = rig.platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(rig.platform.context, { keys: unaware });
    try {
      expect(await list(owner)).to.have.length(1);
      const sql = 'update api_key set revoked_at = now() where agent_id = $1';
      await rig.platform.query(sql, [owner.id]);
      for (const reply of [
        await update(owner, id, { scopes: ['read'] }),
        await revoke(owner, id),
      ]) {
        expect([reply.status, reply.body.error]).to.deep.equal([401, 'invalid_key']);
      }
    } finally {
      Object.assign(rig.platform.context, { keys });
    }
    const me = await rig.platform.request('GET /api/v1/agent/me', { key: token });
    expect(me.status).to.equal(200);
  });

  it('are ended by the app too, and then other sign-ins of the same app go on', async () => {
    const { owner, flow, token, refresh } = await connected();
    const second = await rig.authorize(CURSOR, { username: owner.username });
    const others = await second.exchange();
    const form = new URLSearchParams({ token: refresh, client_id: flow.clientId });
    const other = await rig.register({ ...CURSOR, client_name: 'Other' });
    const byOther = new URLSearchParams({ token: refresh, client_id: other.client_id });
    await rig.post('/oauth/revoke', byOther);
    await rig.platform.context.keys.look();
    const still = await rig.platform.request('GET /api/v1/agent/me', { key: token });
    expect(still.status, 'another app ends nothing').to.equal(200);
    expect((await rig.post('/oauth/revoke', form)).status).to.equal(200);
    await ended(token);
    const { status } = await rig.platform.request('GET /api/v1/agent/me', {
      key: others.access_token,
    });
    expect(status).to.equal(200);
    expect(await list(owner)).to.have.length(1);
  });

  it('may do less at once, and what they spawned with more ends', async () => {
    const { owner, id, token } = await connected({ scopes: ['read', 'buy', 'sell'] });
    const spawned = await rig.platform.request('POST /api/v1/agent/spawn', {
      key: token,
      body: { agent_name: 'below', permissions: ['buy'] },
    });
    const reply = await update(owner, id, { scopes: ['read'] });
    expect(reply.body.scopes).to.deep.equal(['read']);
    await eventually(
      async () => (await rig.platform.request('GET /api/v1/agent/me', { key: token })).body.scopes,
      (scopes) => scopes.length === 1,
    );
    await ended(spawned.body.api_key.key);
  });

  it('spend under the limit of now', async () => {
    const { owner, id, token } = await connected({ limit: '5' });
    const seller = await rig.platform.agent();
    const product = await rig.platform.product(seller, { price: 1 });
    expect((await update(owner, id, { daily_spend_limit: 0.5 })).body.daily_spend_limit).to.equal(
      0.5,
    );
    const preview = async () =>
      (
        await rig.platform.request('POST /api/v1/orders/preview', {
          key: token,
          body: { product_id: product.id },
        })
      ).body;
    expect(await preview()).to.deep.include({ affordable: false, total_due: 1.1 });
    expect((await update(owner, id, { daily_spend_limit: null })).body.daily_spend_limit).to.equal(
      null,
    );
    expect(await preview()).to.deep.include({ affordable: true, total_due: 1.1 });
  });

  it('may spend more only when that is approved, where the policy of its owner is at high', async () => {
    const { owner, id } = await connected({ limit: '5' });
    const policy = await rig.platform.request(`POST /agent/monitor/${owner.id}/policy`, {
      key: owner.key,
      body: { governance_level: 'high' },
    });
    expect(policy.status, policy.text).to.equal(200);
    const limit = async () => (await list(owner))[0].daily_spend_limit;
    expect((await update(owner, id, { daily_spend_limit: 6 })).status).to.equal(202);
    expect(await limit()).to.equal(5);
    expect((await update(owner, id, { daily_spend_limit: 4 })).status).to.equal(200);
    expect(await limit()).to.equal(4);
  });

  it('of an app that is allowed again have the limit and the scopes of then', async () => {
    const { owner, id, token } = await connected({ limit: '5' });
    const less = { username: owner.username, scopes: ['read'], limit: '1' };
    await (await rig.authorize(CURSOR, less)).exchange();
    const connections = await list(owner);
    expect(connections).to.have.length(1);
    expect(connections[0]).to.deep.include({
      connection_id: id,
      scopes: ['read'],
      daily_spend_limit: 1,
    });
    await eventually(
      async () => (await rig.platform.request('GET /api/v1/agent/me', { key: token })).body.scopes,
      (scopes) => scopes.length === 1,
    );
  });

  it('of one app and owner are one, whoever signs in twice at once', async () => {
    const owner = await rig.platform.agent();
    const flows = await Promise.all(
      [1, 2, 3].map(() => rig.authorize(CURSOR, { username: owner.username })),
    );
    const tokens = await Promise.all(flows.map((flow) => flow.exchange()));
    const agents = await Promise.all(
      tokens.map(({ access_token: token }) => rig.tool(token, 'agent_me')),
    );
    expect(new Set(agents.map(({ agent_id: id }) => id)).size).to.equal(1);
    expect(await list(owner)).to.have.length(1);
  });

  it('of two apps with one name have agents with two names', async () => {
    const { owner } = await connected();
    const other = { ...CURSOR, redirect_uris: ['https://other.example/callback'] };
    await (await rig.authorize(other, { username: owner.username })).exchange();
    const { body } = await rig.platform.request('GET /api/v1/agent/children', { key: owner.key });
    const names = body.children.map(({ agent_name: name }: { agent_name: string }) => name);
    expect(names).to.have.members(['Cursor', 'Cursor-2']);
  });

  it('have at most twenty tokens that work, and at most 120 in an hour', async () => {
    const { id, flow, refresh } = await connected();
    let last = { access_token: '', refresh_token: refresh };
    for (let n = 0; n < 25; n += 1) last = await flow.refresh(last.refresh_token);
    const sql = `select count(*)::int as n from api_key
                  where connection_id = $1 and revoked_at is null`;
    expect((await rig.platform.query(sql, [id]))[0].n).to.equal(20);
    await rig.platform.query(
      `insert into api_key (public_id, agent_id, root_id, name, scopes, hash, pepper_id,
                            connection_id, revoked_at)
       select 'x-' || n, agent_id, root_id, 'x', scopes, decode(repeat('00', 32), 'hex'),
              'none', id, now()
         from connection, generate_series(1, 100) n where id = $1`,
      [id],
    );
    expect(await flow.refresh(last.refresh_token)).to.include({ error: 'temporarily_unavailable' });
  });
});
