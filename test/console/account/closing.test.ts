import { randomBytes } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { allowApp } from '../../../shared/domains/connections/allow_app.ts';
import { PLATFORM, SCOPES } from '../../../shared/kernel/caller.ts';
import { refusalOf } from '../../../shared/kernel/refusal.ts';
import { inTransaction } from '../../../shared/performing/transaction.ts';
import { TestPlatform } from '../../harness.ts';
import { buy } from '../../orders/trade.ts';
import { newKey, operator, owner, PASSWORD, signedIn, type BrowserLike } from '../browser_like.ts';

const PATH = '/console/account/closing';

/** Tables that keep names for a time: what was called and what happened. See docs/data.md. */
const LOGS = ['event', 'job', 'registration', 'sign_in_attempt'];

describe('closing an account', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const close = (browser: BrowserLike, name: string, more: Record<string, string> = {}) =>
    browser.post(PATH, { name, ...more });
  const call = async (route: string, key: string, body: object) => {
    const reply = await platform.request(route, { key, body });
    if (reply.status >= 300) throw new Error(`${route}: ${reply.text}`);
    return reply.body;
  };
  /** All that a refusal must leave as it is. */
  const stateOf = async (id: number) =>
    JSON.stringify(
      await platform.query(
        `select to_jsonb(a) as agent,
                (select jsonb_agg(k order by k.id) from (select id, revoked_at from api_key
                  where agent_id = a.id) k) as keys,
                (select jsonb_agg(p.active order by p.id) from product p
                  where p.root_id = a.root_id) as products,
                (select count(*) from suspension where agent_id = a.id) as suspensions,
                (select count(*) from web_session where agent_id = a.id) as sessions
           from agent a where a.root_id = $1 order by a.id`,
        [id],
      ),
    );

  it('is refused while money or work is open, says what, and changes nothing', async () => {
    const { browser: buyer, agent: ada } = await owner(platform, { usd: 5 });
    const { browser: seller, agent: bob } = await owner(platform);
    const product = await platform.product(bob, { price: 0.3 });
    const orderId = await buy(platform, ada, product);
    await call('POST /api/v1/tasks', ada.key, { title: 'Count the trees', budget: 0.5 });
    for (const [browser, agent, shown] of [
      [buyer, ada, ['/console/withdraw', 'in orders that you bought', 'in tasks']],
      [seller, bob, ['in orders that you sold', '/console/sales']],
    ] as const) {
      const before = await stateOf(agent.id);
      const refused = await close(browser, agent.username);
      expect(refused.status).to.equal(409);
      for (const text of shown) expect(refused.text).to.include(text);
      expect(refused.text).to.include('Nothing was changed').and.not.include('name="name"');
      expect(await stateOf(agent.id)).to.equal(before);
    }
    await call(`POST /api/v1/orders/${orderId}/dispute`, ada.key, { reason: 'It is broken.' });
    expect((await close(seller, bob.username)).text).to.include('in disputed orders');
    await call(`POST /api/v1/orders/${orderId}/refund`, bob.key, {});
    const page = await seller.get(PATH);
    expect(page.text).to.include('name="name"').and.not.include('What stands in the way');
    expect((await seller.submit(page, PATH, { name: bob.username })).status).to.equal(200);
  });

  it('is refused while an operator has suspended it', async () => {
    const { browser, agent } = await owner(platform);
    const ann = await operator(platform);
    const path = `/api/v1/admin/agents/${agent.id}/suspend`;
    const admin = { key: 'operator-token-of-the-tests', body: { note: 'Stolen cards.' } };
    expect((await platform.request(`POST ${path}`, admin)).status).to.equal(200);
    const refused = await close(browser, agent.username);
    expect([refused.status, refused.text.includes('An operator has suspended')]).to.deep.equal([
      409,
      true,
    ]);
    expect((await ann.get('/admin')).status).to.equal(200);
  });

  it('needs the name of the account, and a fresh proof', async () => {
    const { browser, agent } = await owner(platform);
    const before = await stateOf(agent.id);
    expect((await close(browser, 'somebody-else')).status).to.equal(422);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    const asked = await close(browser, agent.username);
    expect([asked.status, asked.text.includes('Prove that it is you')]).to.deep.equal([403, true]);
    const wrong = await browser.submit(asked, PATH, { _secret: 'wrong' });
    expect(wrong.status).to.equal(401);
    expect(await stateOf(agent.id)).to.equal(before);
    const elsewhere = await browser.post(
      PATH,
      { name: agent.username },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(elsewhere.status).to.equal(403);
    expect((await browser.submit(asked, PATH, { _secret: PASSWORD })).status).to.equal(200);
    expect((await signInAgain(agent)).status).to.equal(401);
  });

  /** Signing in with the name and the password of an account that was closed. */
  const signInAgain = async ({ username }: { username: string }) => {
    const { browser } = await owner(platform);
    browser.cookies.clear();
    return browser.signIn(username);
  };

  it('ends all access of the tree, takes its goods off sale, and erases the person', async () => {
    const { browser, agent } = await owner(platform);
    const elsewhere = await signedIn(platform, agent);
    const child = await call('POST /api/v1/agent/spawn', agent.key, {
      agent_name: 'scout',
      permissions: ['read', 'buy'],
    });
    const { id } = await platform.product(agent, { price: 2 });
    await call('POST /api/v1/webhooks', agent.key, { url: 'https://ada.example/hook' });
    const email = `${agent.username}@example.com`;
    const former = `former.${email}`;
    const childId = child.agent.agent_id as number;
    for (const sql of [
      `insert into passkey (agent_id, credential_id, public_key, counter, transports, name)
       values ($1, 'credential-' || $2, '\\x00', 0, '{}', $2)`,
      `insert into former_address (agent_id, address) values ($1, 'former.' || $2::text)`,
      `insert into proven_address (agent_id, address) values ($1, $2)`,
      `insert into notice (agent_id, kind, cause, data) values ($1, 'sign_in', $2, '{}')`,
      `insert into mail (key, agent_id, kind, recipient, data, status, ended_at)
       values ('closing/' || $2, $1, 'sign_in', $2, '{}', 'sent', now())`,
    ]) {
      await platform.query(sql, [agent.id, email]);
    }
    await platform.query(
      `insert into connection (owner_id, agent_id, root_id, app, name, host, is_proven, scopes)
       values ($1, $2, $1, 'an app', 'An app', 'app.example', false, '{read}')`,
      [agent.id, childId],
    );
    const closed = await close(browser, agent.username);
    expect([closed.status, closed.text.includes('The account is closed')]).to.deep.equal([
      200,
      true,
    ]);
    expect(browser.cookies.has('session')).to.equal(false);
    expect((await elsewhere.get('/console')).status).to.equal(303);
    expect((await signInAgain(agent)).status).to.equal(401);
    for (const key of [agent.key, child.api_key.key as string]) {
      const works = await platform.query(
        `select from api_key where public_id = $1 and revoked_at is null`,
        [key.slice(4, 12)],
      );
      expect(works).to.deep.equal([]);
    }
    const gone = await platform.query(
      `select (select count(*) from webhook where root_id = $1) as webhooks,
              (select count(*) from passkey where agent_id = $1) as passkeys,
              (select count(*) from web_session where root_id = $1) as sessions,
              (select count(*) from connection
                where root_id = $1 and revoked_at is null) as connections,
              (select count(*) from product where id = $2 and active) as products`,
      [agent.id, id],
    );
    expect(Object.values(gone[0])).to.deep.equal(['0', '0', '0', '0', '0']);
    const tables = await platform.query(
      `select c.oid::regclass::text as name from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('public', 'ledger')
          and has_table_privilege(c.oid, 'select')`,
    );
    for (const { name } of tables.filter((one: { name: string }) => !LOGS.includes(one.name))) {
      const found = await platform.query(
        `select t::text from ${name} t where t::text ilike any ($1)`,
        [[`%${agent.username}%`, `%${former}%`, '%ada.example%']],
      );
      expect(found, name).to.deep.equal([]);
    }
    // The welcome credit of the mailbox was given.
    const again = await platform.request('POST /api/v1/agent/register', {
      body: { username: agent.username, email, password: PASSWORD },
    });
    expect(again.body.success, again.text).to.equal(true);
    const first = await platform.query('select from welcome_mailbox where agent_id = $1', [
      again.body.agent_id,
    ]);
    expect(first).to.deep.equal([]);
  });

  it('lets nobody in who was about to sign in or to connect an app', async () => {
    const { browser, agent } = await owner(platform);
    expect((await close(browser, agent.username)).status).to.equal(200);
    const token = randomBytes(32).toString('base64url');
    await platform.query(
      `insert into web_session (hash, agent_id, root_id, device, address, ends_at)
       values (sha256(convert_to($1, 'UTF8')), $2, $2, '', '', now() + interval '1 day')`,
      [token, agent.id],
    );
    browser.cookies.set('session', token);
    expect((await browser.get('/console')).status).to.equal(303);
    await platform.query('delete from web_session where agent_id = $1', [agent.id]);
    const caller = { ...PLATFORM, agentId: agent.id, rootId: agent.id, scopes: SCOPES };
    const call = { caller, now: platform.context.clock.now(), key: newKey(), requestId: 'test' };
    const app = { app: 'an app', name: 'An app', host: 'app.example', isProven: false };
    const asked = { ...app, scopes: ['read'] as const, dailyLimit: 0n };
    const outcome = await inTransaction(platform.context, call, (tx) => allowApp(tx, asked)).then(
      () => 'allowed',
      (error: unknown) => refusalOf(error).message,
    );
    expect(outcome).to.equal('The account was closed.');
  });
});
