import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { BrowserLike, owner, PASSWORD } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { childOf } from './child.ts';

const ASK = 'POST /api/v1/agent/password-reset';
const STOP = 'DELETE /api/v1/agent/password-reset';
const OTHER = 'another horse staple';

describe('a password that an API key resets', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const ask = (key: string, password = OTHER) => platform.request(ASK, { key, body: { password } });
  const apply = () => runTimer(platform, 'apply_password_resets');
  const isDue = (agentId: number) =>
    platform.query(`update password_reset set due_at = now() where agent_id = $1`, [agentId]);
  const signIn = async (username: string, secret: string) =>
    (await new BrowserLike(platform).signIn(username, { secret })).status;
  const eventsOf = async (agentId: number) =>
    (
      await platform.query(
        `select type from event where agent_id = $1 and type like 'agent.password%' order by id`,
        [agentId],
      )
    ).map(({ type }: { type: string }) => type);

  it('takes effect after 24 hours, announced, and ends who is signed in', async () => {
    const { browser, agent } = await owner(platform);
    const { status, body } = await ask(agent.key);
    expect([status, body.status]).to.deep.equal([200, 'waiting']);
    const hours = (Date.parse(body.due_at) - Date.parse(body.created_at)) / 3_600_000;
    expect(hours).to.equal(24);
    expect((await browser.get('/console')).text).to.include('Your password is reset on');
    await apply();
    expect(await signIn(agent.username, OTHER)).to.equal(401);
    expect(await signIn(agent.username, PASSWORD)).to.equal(303);
    await isDue(agent.id);
    await apply();
    expect((await browser.get('/console')).status).to.equal(303);
    expect(await signIn(agent.username, PASSWORD)).to.equal(401);
    expect(await signIn(agent.username, OTHER)).to.equal(303);
    expect(await eventsOf(agent.id)).to.deep.equal([
      'agent.password_reset_asked',
      'agent.password_reset',
    ]);
    expect((await platform.request(STOP, { key: agent.key })).status).to.equal(404);
  });

  it('is stopped by any key of the owner, or by whoever is signed in', async () => {
    const { browser, agent } = await owner(platform);
    const { body: made } = await platform.request('POST /api/v1/agent/keys', {
      key: agent.key,
      body: { scopes: ['read'] },
    });
    expect((await ask(agent.key)).status).to.equal(200);
    expect((await ask(agent.key)).body.error).to.equal('invalid_transition');
    const stopped = await platform.request(STOP, { key: made.api_key.key });
    expect([stopped.status, stopped.body.status]).to.deep.equal([200, 'stopped']);
    expect((await ask(agent.key)).status).to.equal(200);
    const page = await browser.get('/console/account');
    const after = await browser.submit(page, '/console/account/reset/stop');
    expect(after.status).to.equal(200);
    expect(after.text).not.to.include('Your password is reset on');
    await isDue(agent.id);
    await apply();
    expect(await signIn(agent.username, OTHER)).to.equal(401);
    expect((await browser.get('/console')).status).to.equal(200);
    expect(await eventsOf(agent.id)).to.deep.equal([
      'agent.password_reset_asked',
      'agent.password_reset_stopped',
      'agent.password_reset_asked',
      'agent.password_reset_stopped',
    ]);
  });

  it('is stopped or takes effect, and never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const agent = await platform.agent();
      await ask(agent.key);
      await isDue(agent.id);
      const [stopped] = await Promise.all([platform.request(STOP, { key: agent.key }), apply()]);
      const isStopped = stopped.status === 200;
      expect(await signIn(agent.username, isStopped ? PASSWORD : OTHER)).to.equal(303);
      expect(await signIn(agent.username, isStopped ? OTHER : PASSWORD)).to.equal(401);
      expect((await eventsOf(agent.id)).slice(1)).to.deep.equal([
        isStopped ? 'agent.password_reset_stopped' : 'agent.password_reset',
      ]);
    }
  });

  it('ends with the key that asked for it', async () => {
    const agent = await platform.agent();
    const { body: made } = await platform.request('POST /api/v1/agent/keys', {
      key: agent.key,
      body: { scopes: ['read', 'buy', 'sell'] },
    });
    expect((await ask(made.api_key.key)).status).to.equal(200);
    const path = `DELETE /api/v1/agent/keys/${made.key_id}`;
    expect((await platform.request(path, { key: agent.key })).status).to.equal(200);
    await isDue(agent.id);
    await apply();
    expect(await signIn(agent.username, OTHER)).to.equal(401);
    expect(await signIn(agent.username, PASSWORD)).to.equal(303);
    expect((await eventsOf(agent.id)).at(-1)).to.equal('agent.password_reset_stopped');
  });

  it('is not asked for by a key that was revoked meanwhile', async () => {
    const agent = await platform.agent();
    const { keys, database, secrets } = platform.context;
    const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
    await unaware.look(); // and never again
    Object.assign(platform.context, { keys: unaware });
    try {
      expect((await platform.request('GET /api/v1/agent/me', agent)).status).to.equal(200);
      await platform.query('update api_key set revoked_at = now() where agent_id = $1', [agent.id]);
      const { status, body } = await ask(agent.key);
      expect([status, body.error]).to.deep.equal([401, 'invalid_key']);
    } finally {
      Object.assign(platform.context, { keys });
    }
    const resets = 'select id from password_reset where agent_id = $1';
    expect(await platform.query(resets, [agent.id])).to.deep.equal([]);
  });

  it('is of a root alone, with a key that allows everything', async () => {
    const { agent } = await owner(platform);
    const child = await childOf(platform, agent);
    expect((await ask(child.key)).status).to.equal(403);
    const { body: made } = await platform.request('POST /api/v1/agent/keys', {
      key: agent.key,
      body: { scopes: ['read', 'buy'] },
    });
    expect((await ask(made.api_key.key)).body.error).to.equal('insufficient_scope');
    expect((await ask(agent.key, 'short')).status).to.equal(422);
    expect((await ask(agent.key)).status).to.equal(200);
    expect((await platform.request(STOP, { key: child.key })).status).to.equal(404);
    const { agent: other } = await owner(platform);
    expect((await platform.request(STOP, { key: other.key })).status).to.equal(404);
  });

  it('is kept nowhere as it was given, and its hash until it is over', async () => {
    const agent = await platform.agent();
    await ask(agent.key);
    const kept = async () =>
      JSON.stringify([
        await platform.query('select * from password_reset where agent_id = $1', [agent.id]),
        await platform.query('select * from job where agent_id = $1', [agent.id]),
      ]);
    expect(await kept())
      .to.include('$argon2id$')
      .and.not.include(OTHER);
    await platform.request(STOP, { key: agent.key });
    expect(await kept()).not.to.include('$argon2id$');
  });

  it('leaves app codes as they are', async () => {
    const { browser, agent } = await owner(platform);
    await platform.query(
      `insert into app_code (agent_id, secret, confirmed_at) values ($1, 'x', now())`,
      [agent.id],
    );
    await ask(agent.key);
    await isDue(agent.id);
    await apply();
    const again = new BrowserLike(platform);
    const step = await again.signIn(agent.username, { secret: OTHER });
    expect(step.text).to.include('name="ticket"');
    expect(again.cookies.size).to.equal(0);
    expect((await browser.get('/console')).status).to.equal(303);
  });
});
