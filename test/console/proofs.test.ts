import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { BrowserLike, owner, PASSWORD } from './browser_like.ts';

/** How often a person may try to prove itself, and what it has to prove itself for. */

describe('a proof', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  // A failure of one test counts for the address of all of them.
  afterEach(() => platform.query('delete from sign_in_attempt'));
  after(() => platform.close());

  const guess = (name: string, browser = new BrowserLike(platform)) =>
    browser.signIn(name, { secret: 'a guess 123' });
  const statusesOf = async (replies: Promise<{ status: number }>[]) =>
    (await Promise.all(replies)).map(({ status }) => status).toSorted((a, b) => a - b);

  it('of a name is guessed at ten times, however it is written', async () => {
    const { agent } = await owner(platform);
    const spellings = [agent.username, agent.username.toUpperCase()];
    const tries = Array.from({ length: 12 }, (_, n) => guess(spellings[n % 2]!));
    expect(await statusesOf(tries)).to.deep.equal([...Array(10).fill(401), 429, 429]);
  });

  it('is guessed at as by anybody with a cookie that is made up, or of another owner', async () => {
    const { agent } = await owner(platform);
    const { browser: other } = await owner(platform);
    const tries = Array.from({ length: 12 }, (_, n) => {
      const browser = new BrowserLike(platform);
      const madeUp = `${String(n).padStart(22, 'x')}.${'A'.repeat(43)}`;
      browser.cookies.set('device', n % 2 ? madeUp : other.cookies.get('device')!);
      return guess(agent.username, browser);
    });
    expect(await statusesOf(tries)).to.deep.equal([...Array(10).fill(401), 429, 429]);
  });

  it('is guessed at fifty times from one address, of whatever names', async () => {
    const names = Array.from({ length: 53 }, (_, n) => `nobody-${n}`);
    const signIn = (name: string) => operatorOf(name, 'no-token');
    const statuses = await statusesOf(names.map(signIn));
    expect(statuses).to.deep.equal([...Array(50).fill(401), ...Array(3).fill(429)]);
    expect((await operatorOf('operator', 'operator-token-of-the-tests')).status).to.equal(429);
    await platform.query(`update sign_in_attempt set created_at = now() - interval '16 minutes'`);
    expect((await operatorOf('operator', 'operator-token-of-the-tests')).status).to.equal(303);
  });
  const operatorOf = (name: string, secret: string) =>
    new BrowserLike(platform).signIn(name, { secret, kind: 'admin' });

  it('is guessed at ten times in a session, and others of its owner go on', async () => {
    const { browser, agent } = await owner(platform);
    const second = new BrowserLike(platform);
    await second.signIn(agent.username);
    await growOld();
    const prove = (one: BrowserLike, secret: string) =>
      one.post('/console/do/create_key', { name: 'made', scopes: 'read', _secret: secret });
    const tries = Array.from({ length: 12 }, () => prove(browser, 'not this one'));
    expect(await statusesOf(tries)).to.deep.equal([...Array(10).fill(401), 429, 429]);
    expect((await prove(browser, PASSWORD)).status).to.equal(429);
    const keys = 'select id from api_key where agent_id = $1';
    expect(await platform.query(keys, [agent.id])).to.have.length(1);
    expect((await prove(second, PASSWORD)).status).to.be.oneOf([200, 303]);
    expect(await platform.query(keys, [agent.id])).to.have.length(2);
  });

  const growOld = () =>
    platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);

  it('is wanted for an approval above $100, however its id is written', async () => {
    const { browser, child, ids } = await asked([95]);
    const id = String(ids[0]);
    for (const spelling of [id, `0${id}`, ` ${id}`, `${id} `, `00${id}`]) {
      const fields = { approval_id: spelling, decision: 'approve' };
      const { status, text } = await browser.post('/console/do/decide_approval', fields);
      expect([status, text.includes('Prove that it is you')], spelling).to.deep.equal([403, true]);
    }
    expect(await statusesOfApprovals(child.id)).to.deep.equal(['pending']);
  });

  it('is wanted for what may be among more than are read', async () => {
    const { browser, child, ids } = await asked([95]);
    await platform.query(
      `insert into approval (job_id, agent_id, root_id, policy_of, rule, asks_above, operation,
                             amount, product_type, product_id, seller_id, quantity, expires_at)
       select gen_random_uuid(), agent_id, root_id, policy_of, rule, asks_above, operation,
              amount, product_type, product_id, seller_id, quantity, expires_at
         from approval, generate_series(1, 100) where id = $1`,
      [ids[0]],
    );
    const fields = { approval_id: String(ids[0]), decision: 'approve' };
    expect((await browser.post('/console/do/decide_approval', fields)).status).to.equal(403);
    expect(new Set(await statusesOfApprovals(child.id))).to.deep.equal(new Set(['pending']));
  });

  it('is wanted before a webhook is sent elsewhere, and not before it is stopped', async () => {
    const { browser, agent } = await owner(platform);
    const made = await platform.request('POST /api/v1/webhooks', {
      key: agent.key,
      body: { url: 'https://example.com/events' },
    });
    const webhook_id = String(made.body.webhook_id);
    await growOld();
    const update = (fields: Record<string, string>) =>
      browser.post('/console/do/update_webhook', { webhook_id, ...fields });
    const asked = await update({ url: 'https://elsewhere.example.com/' });
    expect([asked.status, asked.text.includes('Prove that it is you')]).to.deep.equal([403, true]);
    expect((await update({ status: 'disabled', url: '' })).status).to.equal(303);
    const listed = await platform.request('GET /api/v1/webhooks', agent);
    expect(listed.body.webhooks[0]).to.include({
      url: 'https://example.com/events',
      status: 'disabled',
    });
  });

  it('is wanted before more than $100 is put into a task', async () => {
    const { browser, agent } = await owner(platform, { usd: 300 });
    await growOld();
    const post = async (budget: string) =>
      (await browser.post('/console/do/task_post', { title: 'Name a sea', budget })).status;
    expect(await post('100.01')).to.equal(403);
    expect(await platform.balance(agent)).to.equal(300.5);
    expect(await post('100')).to.equal(303);
    expect(await platform.balance(agent)).to.equal(200.5);
  });

  const statusesOfApprovals = async (agentId: number): Promise<string[]> =>
    (await platform.query('select status from approval where agent_id = $1', [agentId])).map(
      ({ status }: { status: string }) => status,
    );

  /** An owner whose proof is old, and what its agent asks it for: a purchase at each price. */
  async function asked(prices: readonly number[]) {
    const { browser, agent } = await owner(platform, { usd: 300 });
    const seller = await platform.agent();
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000_000n });
    for (const price of prices) {
      const { id } = await platform.product(seller, { price });
      await platform.request('POST /api/v1/orders', { key: child.key, body: { product_id: id } });
    }
    await growOld();
    const sql = 'select id from approval where agent_id = $1';
    const ids = (await platform.query(sql, [child.id])).map(({ id }: { id: string }) => Number(id));
    expect(ids).to.have.length(prices.length);
    return { browser, child, ids };
  }
});
