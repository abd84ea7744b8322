import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { busyOwner } from '../busy_owner.ts';
import { owner, PASSWORD, type BrowserLike } from '../browser_like.ts';

const PATH = '/console/account';
const EXPORT = `${PATH}/export`;

describe('the file of what is held about an account', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const download = async (browser: BrowserLike) => browser.submit(await browser.get(PATH), EXPORT);

  it('has the account, its agents, their limits, and what was traded', async () => {
    const { browser, agent, orderId } = await busyOwner(platform);
    const policy = { max_spend_per_tx: 7, daily_spend_limit: 9 };
    await platform.request(`POST /agent/monitor/${agent.id}/policy`, {
      key: agent.key,
      body: policy,
    });
    const reply = await download(browser);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers.get('content-type')).to.match(/^application\/json/);
    expect(reply.headers.get('content-disposition')).to.equal(
      'attachment; filename="account.json"',
    );
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const file = JSON.parse(reply.text);
    expect(file.account).to.include({ agent_id: agent.id, username: agent.username });
    expect(file.account.email).to.match(/@/);
    expect(file.sessions.items).to.have.length(1);
    expect(file.keys.items.map((key: { agent_id: number }) => key.agent_id)).to.include(agent.id);
    expect(file.keys.items).to.have.length(2);
    expect(file.agents_below.items[0].agent_name).to.equal('scout');
    expect(file.limits.find((one: { agent_id: number }) => one.agent_id === agent.id)).to.include(
      policy,
    );
    const bought = file.orders_bought.items.map((order: { order_id: number }) => order.order_id);
    expect(bought).to.include(orderId);
    const { body: wallet } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    expect(file.wallet.balance).to.equal(wallet.balance);
    for (const list of ['statement', 'products', 'tasks', 'labor', 'webhooks']) {
      expect(file[list].items.length, list).to.be.greaterThan(0);
      expect(file[list].complete, list).to.equal(true);
      expect(file[list].rest).to.match(/^GET \/api\/v1\//);
    }
  });

  it('holds no secret, and nothing of another owner', async () => {
    const { browser, agent } = await owner(platform, { usd: 1 });
    const { agent: neighbour } = await owner(platform);
    const hook = { url: 'https://ada.example/hook' };
    const made = await platform.request('POST /api/v1/webhooks', { key: agent.key, body: hook });
    await browser.submit(await browser.get(PATH), `${PATH}/codes/begin`);
    const [row] = await platform.query(
      `select a.password_hash, encode(k.hash, 'hex') as key, encode(s.hash, 'hex') as session,
              encode(c.secret, 'hex') as code
         from agent a join api_key k on k.agent_id = a.id join web_session s on s.agent_id = a.id
         join app_code c on c.agent_id = a.id where a.id = $1`,
      [agent.id],
    );
    const { text } = await download(browser);
    expect(JSON.parse(text).webhooks.items).to.have.length(1);
    const secrets = { ...row, apiKey: agent.key, token: browser.cookies.get('session') };
    for (const [name, secret] of Object.entries({ ...secrets, webhook: made.body.secret })) {
      expect(secret, name).to.be.a('string').and.not.equal('');
      expect(text, name).not.to.include(secret);
      const bytes = Buffer.from(String(secret), 'hex');
      if (bytes.length > 8) expect(text, name).not.to.include(bytes.toString('base64'));
    }
    expect(text).not.to.include(neighbour.username);
    expect(text).not.to.match(/"[^"]*(hash|secret|nonce|public_key)"/);
  });

  it('is bounded, and says which call has the rest', async () => {
    const { browser, agent } = await owner(platform);
    await platform.query(
      `insert into mail (key, agent_id, kind, recipient, data, status, ended_at)
       select 'export/' || n, $1, 'sign_in', 'ada@example.com', '{}', 'sent', now()
         from generate_series(1, 1001) as n`,
      [agent.id],
    );
    const { mails, former_addresses: former } = JSON.parse((await download(browser)).text);
    expect([mails.complete, mails.items.length]).to.deep.equal([false, 1_000]);
    expect(former).to.deep.equal({ complete: true, items: [] });
  });

  it('asks for a fresh proof, and is then sent', async () => {
    const { browser, agent } = await owner(platform);
    const stale = `update web_session set proved_at = now() - interval '11 minutes'
                    where agent_id = $1`;
    await platform.query(stale, [agent.id]);
    const asked = await download(browser);
    expect(asked.status).to.equal(403);
    expect(asked.text).to.include('Prove that it is you').and.not.include('"sessions"');
    expect((await browser.submit(asked, EXPORT, { _secret: 'wrong' })).status).to.equal(401);
    const sent = await browser.submit(asked, EXPORT, { _secret: PASSWORD });
    expect([sent.status, JSON.parse(sent.text).account.agent_id]).to.deep.equal([200, agent.id]);
    expect((await browser.get(PATH)).status).to.equal(200);
    expect((await browser.get(EXPORT)).status).to.equal(303);
  });
});
