import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { BrowserLike, formsOf, newKey, owner, PASSWORD, signedIn } from './browser_like.ts';

/** Changes by the forms of a page. */

const alertIn = (html: string) => /role="alert".*?<strong>(.*?)<\/strong>/s.exec(html)?.[1];

describe('a form of the console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  async function bought() {
    const { seller, buyer, product } = await meet(platform, { price: 1 });
    const orderId = await buy(platform, buyer, product);
    return { seller, buyer, orderId, browser: await signedIn(platform, buyer) };
  }

  const statusOf = async (orderId: number) =>
    (await platform.query('select status from orders where id = $1', [orderId]))[0].status;

  it('releases an order, and leads back with what was done', async () => {
    const { browser, orderId, seller } = await bought();
    const before = await platform.balance(seller);
    const page = await browser.get(`/console/orders/${orderId}`);
    expect(page.text).to.include('Release now').and.include('This page by API');
    const sent = await browser.submit(page, '/console/do/confirm_order');
    expect(sent.status).to.equal(303);
    expect(sent.location).to.equal(`/console/orders/${orderId}?done=confirm_order`);
    expect(await statusOf(orderId)).to.equal('completed');
    expect(await platform.balance(seller)).to.equal(before + 1);
    expect((await browser.get(sent.location!)).text).to.include('The seller was paid.');
  });

  it('has one effect, however often it is sent', async () => {
    const { browser, agent } = await owner(platform);
    const page = await browser.get('/console/agents');
    const { fields } = formsOf(page.text).find(({ action }) => action.endsWith('spawn_agent'))!;
    const sent = { ...fields, name: 'twice', permissions: ['read', 'buy'] };
    const replies = await Promise.all([
      browser.post('/console/do/spawn_agent', sent),
      browser.post('/console/do/spawn_agent', sent),
    ]);
    replies.push(await browser.post('/console/do/spawn_agent', sent));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const made = await platform.query('select id from agent where owner_id = $1', [agent.id]);
    expect(made).to.have.length(1);
    const shown = replies.filter(({ text }) => /vnx_[\w-]{30,}/.test(text));
    expect(shown).to.have.length(1);
  });

  it('comes back with what was refused, and with what was filled in', async () => {
    const { browser, orderId } = await bought();
    const before = await statusOf(orderId);
    const page = await browser.get(`/console/orders/${orderId}`);
    const sent = await browser.submit(page, '/console/do/dispute_order', {
      reason: 'x'.repeat(9_000),
    });
    expect(sent.status).to.equal(422);
    expect(alertIn(sent.text)).to.match(/Correct what is said below/);
    expect(sent.text).to.include('</a>: Use at most 2000 characters.');
    expect(sent.text).to.include('aria-invalid="true"').and.include('x'.repeat(9_000));
    expect(await statusOf(orderId)).to.equal(before);
    const again = await browser.submit(sent, '/console/do/dispute_order', {
      reason: 'It is broken',
    });
    expect(again.status).to.equal(303);
    expect(await statusOf(orderId)).to.equal('disputed');
  });

  for (const end of [
    'delete from web_session',
    `update web_session set seen_at = now() - interval '61 minutes'`,
    'update web_session set ends_at = now()',
  ]) {
    it(`that is sent too late (${end}) comes back filled in, and sends nothing`, async () => {
      const { browser, buyer, orderId } = await bought();
      const page = await browser.get(`/console/orders/${orderId}`);
      await platform.query(`${end} where agent_id = $1`, [buyer.id]);
      const reason = 'It does not <b>open</b> "anything"';
      const asked = await browser.submit(page, '/console/do/dispute_order', { reason });
      expect(asked.status).to.equal(401);
      const who = { name: buyer.username, secret: PASSWORD };
      const back = await browser.submit(asked, '/console/login', who);
      expect(back.status).to.equal(200);
      expect(alertIn(back.text)).to.include('Nothing was sent');
      expect(back.text).to.include('It does not &lt;b>open&lt;/b>');
      expect(await statusOf(orderId)).to.equal('escrow');
      const sent = await browser.submit(back, '/console/do/dispute_order', { reason });
      expect(sent.status).to.equal(303);
      expect(await statusOf(orderId)).to.equal('disputed');
    });
  }

  it('shows what is secret at once, and keeps it nowhere', async () => {
    const { browser, orderId } = await bought();
    const page = await browser.get(`/console/orders/${orderId}`);
    const opened = await browser.submit(page, '/console/do/get_vault_item');
    expect(opened.status).to.equal(200);
    expect(opened.text)
      .to.include('In the vault')
      .and.match(/KEY-[0-9a-f-]{36}/);
    expect((await browser.get(`/console/orders/${orderId}`)).text).not.to.match(
      /KEY-[0-9a-f-]{36}/,
    );
  });

  it('asks on a page of its own where dialogs are unknown', async () => {
    const { browser, orderId } = await bought();
    const page = await browser.get(`/console/orders/${orderId}`);
    const asked = await browser.submit(page, '/console/do/confirm_order', { _ask: 'Release now' });
    expect(asked.status).to.equal(200);
    expect(asked.text).to.include('Nothing was done yet');
    expect(await statusOf(orderId)).to.equal('escrow');
    expect((await browser.submit(asked, '/console/do/confirm_order')).status).to.equal(303);
    expect(await statusOf(orderId)).to.equal('completed');
  });

  it('changes nothing of another owner', async () => {
    const { orderId } = await bought();
    const { browser: other } = await owner(platform);
    expect((await other.get(`/console/orders/${orderId}`)).status).to.equal(404);
    const fields = { order_id: String(orderId), _key: newKey(), _back: '/console' };
    const sent = await other.post('/console/do/confirm_order', fields);
    expect(sent.status).to.equal(404);
    expect(await statusOf(orderId)).to.equal('escrow');
  });

  it('does only what a page names, and nothing of operators', async () => {
    const { browser } = await owner(platform);
    for (const name of ['post_labor_task', 'give_goodwill', 'decide_dispute', 'no_such_thing']) {
      expect((await browser.post(`/console/do/${name}`, {})).status, name).to.equal(404);
    }
    expect((await browser.post('/admin/do/give_goodwill', {})).status).not.to.equal(200);
  });

  it('that loosens what an agent may spend wants a proof that is not older than ten minutes', async () => {
    const { browser, agent } = await owner(platform);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    const limitOf = async () =>
      (await platform.request('GET /api/v1/wallet', { key: agent.key })).body.daily_spend_limit;
    const page = await browser.get(`/console/agents/${agent.id}`);
    const asked = await browser.submit(page, '/console/do/set_policy', {
      daily_spend_limit: '7.5',
    });
    expect(asked.status).to.equal(403);
    expect(asked.text).to.include('Prove that it is you');
    expect(await limitOf()).to.equal(null);
    const wrong = await browser.submit(asked, '/console/do/set_policy', {
      _secret: 'not this one',
    });
    expect([wrong.status, await limitOf()]).to.deep.equal([401, null]);
    const token = browser.cookies.get('session');
    const right = await browser.submit(asked, '/console/do/set_policy', { _secret: PASSWORD });
    expect([right.status, await limitOf()]).to.deep.equal([303, 7.5]);
    expect(browser.cookies.get('session')).not.to.equal(token);
    const old = new BrowserLike(platform);
    old.cookies.set('session', token!);
    expect((await old.get('/console')).status).to.equal(303);
    expect((await browser.get('/console')).status).to.equal(200);
  });

  it('ends with a limit lifted where its field is left empty', async () => {
    const { browser, agent } = await owner(platform);
    const path = `/console/agents/${agent.id}`;
    const limitOf = async () =>
      (await platform.request('GET /api/v1/wallet', { key: agent.key })).body.daily_spend_limit;
    await browser.submit(await browser.get(path), '/console/do/set_policy', {
      daily_spend_limit: '3',
    });
    expect(await limitOf()).to.equal(3);
    await browser.submit(await browser.get(path), '/console/do/set_policy', {
      daily_spend_limit: '',
    });
    expect(await limitOf()).to.equal(null);
  });
});

describe('what an agent asks', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('is shown to its owner, who approves it with the amount on the button', async () => {
    const { browser, agent } = await owner(platform, { usd: 20 });
    const seller = await platform.agent();
    const product = await platform.product(seller, { price: 4 });
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000_000n });
    const asked = await platform.request('POST /api/v1/orders', {
      key: child.key,
      body: { product_id: product.id },
    });
    expect(asked.status).to.equal(202);
    const page = await browser.get('/console/todo');
    expect(page.text).to.include('Approve $4.40');
    const home = await browser.get('/console');
    expect(home.text).to.match(/One thing waits/s);
    const sent = await browser.submit(page, '/console/do/decide_approval');
    expect(sent.status).to.equal(303);
    const [{ status }] = await platform.query('select status from approval where agent_id = $1', [
      child.id,
    ]);
    expect(status).to.equal('approved');
  });

  it('wants a proof above $100, and is not bought before', async () => {
    const { browser, agent } = await owner(platform, { usd: 300 });
    const seller = await platform.agent();
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000_000n });
    for (const price of [95, 5]) {
      const product = await platform.product(seller, { price });
      const body = { product_id: product.id };
      await platform.request('POST /api/v1/orders', { key: child.key, body });
    }
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    const before = await platform.balance(agent);
    const { text } = await browser.get('/console/todo');
    const approvals = formsOf(text).filter(({ fields }) => fields.decision?.[0] === 'approve');
    const ids = [...new Set(approvals.map(({ fields }) => fields.approval_id![0]!))];
    expect(ids).to.have.length(2);
    const statuses = [];
    for (const id of ids.toSorted((a, b) => Number(a) - Number(b))) {
      const form = approvals.find(({ fields }) => fields.approval_id![0] === id)!;
      statuses.push((await browser.post('/console/do/decide_approval', form.fields)).status);
    }
    expect(statuses).to.deep.equal([403, 303]);
    await eventually(
      () => platform.query('select id from orders where buyer_id = $1', [child.id]),
      (orders) => orders.length === 1,
    );
    expect(await platform.balance(agent)).to.be.closeTo(before - 5.5, 0.000_001);
  });
});
