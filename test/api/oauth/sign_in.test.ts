import { expect } from 'chai';

import { eventually } from '../../harness.ts';
import { CURSOR, OAuthRig, type Said } from './rig.ts';

const none = { token_endpoint_auth_method: 'none' };

/** Registrations of programs, and how they ask then. */
const CLIENTS: readonly [string, Said, Record<string, string>, string][] = [
  ['Cursor, which says web and names an address of its own scheme', CURSOR, {}, 'read buy'],
  [
    'VS Code, which comes back to another port than it registered',
    { client_name: 'Visual Studio Code', redirect_uris: ['http://127.0.0.1:33418/'], ...none },
    { redirect_uri: 'http://127.0.0.1:59656/' },
    'read buy',
  ],
  [
    'one that wants to prove itself by a key of its own',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      scope: 'read buy',
    },
    {},
    'read buy',
  ],
  ['one of before 2025-06-18, which names no resource', CURSOR, { resource: '' }, 'read buy'],
  ['one that asks for no scope', CURSOR, { scope: '' }, 'read buy'],
  ['one that asks for scopes which nobody knows', CURSOR, { scope: 'claudeai read' }, 'read'],
];

describe('an app that signs in', () => {
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open()));
  after(() => rig.close());

  it('is told at /mcp where its owner signs in', async () => {
    const path = '/.well-known/oauth-protected-resource/mcp';
    const metadata = rig.origin + path;
    const answers = await Promise.all([
      rig.mcp(undefined, 'initialize'),
      rig.mcp(undefined, 'tools/list'),
      rig.get('/mcp'),
      rig.mcp('vnx_wrong', 'tools/list'),
    ]);
    const start = 'Bearer realm="agent-marketplace", ';
    const end = `resource_metadata="${metadata}", scope="read buy"`;
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401]);
    // People read it where a client shows what it was answered.
    expect(await answers[2]!.text()).to.contain('Sign in: your client opens a page here');
    expect(answers.map(({ headers }) => headers.get('www-authenticate'))).to.deep.equal([
      start + end,
      start + end,
      start + end,
      `${start}error="invalid_token", ${end}`,
    ]);
    const resource = (await (await rig.get(path)).json()) as Record<string, unknown>;
    expect(resource).to.include({ resource: rig.resource });
    expect(resource.authorization_servers).to.deep.equal([`${rig.origin}/oauth`]);
    expect(resource.scopes_supported).to.deep.equal(['read', 'buy', 'sell']);

    const ofServer = '/.well-known/oauth-authorization-server/oauth';
    const server = (await (await rig.get(ofServer)).json()) as Record<string, unknown>;
    expect(server).to.deep.include({
      issuer: `${rig.origin}/oauth`,
      authorization_endpoint: `${rig.origin}/oauth/authorize`,
      token_endpoint: `${rig.origin}/oauth/token`,
      registration_endpoint: `${rig.origin}/oauth/register`,
      revocation_endpoint: `${rig.origin}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      response_types_supported: ['code'],
      scopes_supported: ['read', 'buy', 'sell'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('is not sent to sign in at /api/v1/mcp, where a key is all', async () => {
    const wrong = await rig.mcp('vnx_wrong', 'tools/list', {}, '/api/v1/mcp');
    expect(wrong.headers.get('www-authenticate')).to.equal(
      'Bearer realm="agent-marketplace", error="invalid_token"',
    );
    const { status } = await rig.mcp(undefined, 'tools/list', {}, '/api/v1/mcp');
    expect(status).to.equal(200);
  });

  it('is served at /mcp with a key too', async () => {
    const { id, key } = await rig.platform.agent();
    expect(await rig.tool(key, 'agent_me')).to.include({ agent_id: id });
  });

  it('links to PUBLIC_URL, whatever host a request names', async () => {
    const path = '/.well-known/oauth-authorization-server/oauth';
    const { body } = await rig.platform.request(`GET ${path}`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(body.token_endpoint).to.equal(`${rig.origin}/oauth/token`);
  });

  it('is announced to its owner as an agent of its own, once', async () => {
    const { id, key, username } = await rig.platform.agent();
    for (let n = 0; n < 2; n += 1) await rig.authorize(CURSOR, { username });
    const { body } = await rig.platform.request('GET /api/v1/events?type=agent.spawned', { key });
    const told = body.events.map(({ data }: { data: { owner_id: number } }) => data.owner_id);
    expect(told).to.deep.equal([id]);
  });

  for (const [what, said, over, scope] of CLIENTS) {
    it(`may be ${what}`, async () => {
      const owner = await rig.platform.agent();
      const flow = await rig.authorize(said, { username: owner.username }, over);
      expect(Object.fromEntries(flow.back)).to.include({
        state: 'a-state',
        iss: `${rig.origin}/oauth`,
      });
      const answer = await flow.exchange();
      expect(answer).to.include({ token_type: 'Bearer', scope, expires_in: 604_800 });
      expect(answer.access_token).to.match(/^vnx_/);
      expect(answer.id_token).to.equal(undefined);
      const { scopes } = await rig.tool(answer.access_token, 'agent_me');
      expect(scopes.join(' ')).to.equal(scope);
    });
  }

  it('gets an agent below its owner, and spends no more than its owner has said', async () => {
    const [seller, owner] = [await rig.platform.agent(), await rig.platform.agent({ usd: 50 })];
    const { id } = await rig.platform.product(seller, { price: 2, items: ['a', 'b', 'c'] });
    const how = { username: owner.username, limit: '5' };
    const { access_token: token } = await (await rig.authorize(CURSOR, how)).exchange();
    const me = await rig.tool(token, 'agent_me');
    expect(me).to.include({ owner_id: owner.id, username: `${owner.username}/Cursor` });

    const buy = () => rig.tool(token, 'purchase_product', { product_id: id });
    expect([await buy(), await buy()].map(({ status }) => status)).to.deep.equal([
      'escrow',
      'escrow',
    ]);
    const balance = await rig.platform.balance(owner);
    expect(await buy()).to.include({ error: 'daily_limit_exceeded' });
    expect(await rig.platform.balance(owner)).to.equal(balance);

    // A second sign-in, from another port, is no second budget.
    const again = await rig.authorize(CURSOR, how, { redirect_uri: 'http://localhost:9/callback' });
    const { access_token: second } = await again.exchange();
    expect((await rig.tool(second, 'agent_me')).agent_id).to.equal(me.agent_id);
    const more = await rig.tool(second, 'purchase_product', { product_id: id });
    expect(more).to.include({ error: 'daily_limit_exceeded' });
  });

  it('does what was ticked, and is told by 403 what it lacks', async () => {
    const owner = await rig.platform.agent();
    const how = { username: owner.username, scopes: ['read'] };
    const answer = await (await rig.authorize(CURSOR, how)).exchange();
    expect(answer.scope).to.equal('read');
    const params = { name: 'purchase_product', arguments: { product_id: 1 } };
    const refused = await rig.mcp(answer.access_token, 'tools/call', params);
    expect(refused.status).to.equal(403);
    expect(refused.headers.get('www-authenticate'))
      .to.contain('error="insufficient_scope"')
      .and.contain('scope="buy"');
  });

  it('refreshes, and each token is a key of its connection with the scopes of now', async () => {
    const owner = await rig.platform.agent();
    const flow = await rig.authorize(CURSOR, { username: owner.username, scopes: ['read'] });
    const first = await flow.exchange();
    const [{ connection_id: id }] = (
      await rig.platform.request('GET /api/v1/connections', { key: owner.key })
    ).body.connections;
    const changed = await rig.platform.request(`PATCH /api/v1/connections/${id}`, {
      key: owner.key,
      body: { scopes: ['read', 'buy', 'sell'], daily_spend_limit: 9 },
    });
    expect(changed.body).to.deep.include({
      scopes: ['read', 'buy', 'sell'],
      daily_spend_limit: 9,
      status: 'active',
    });
    // The token that is there gets them too.
    await eventually(
      () => rig.tool(first.access_token, 'agent_me'),
      ({ scopes }) => scopes.length === 3,
    );
    const second = await flow.refresh(first.refresh_token);
    expect(second.scope).to.equal('read buy sell');
    expect(second.refresh_token).not.to.equal(first.refresh_token);
    expect((await rig.tool(second.access_token, 'agent_me')).scopes).to.have.length(3);
  });

  it('is sent back with access_denied where its owner says no', async () => {
    const owner = await rig.platform.agent();
    const { back } = await rig.authorize(CURSOR, { username: owner.username, answer: 'deny' });
    expect(back.get('error')).to.equal('access_denied');
    const { body } = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    expect(body.connections).to.deep.equal([]);
  });
});
