import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { act, openDeal } from '../orders/deal.ts';
import { BrowserLike, formsOf, operator, owner, PASSWORD } from './browser_like.ts';

const REGISTER = '/do/register_agent';
const TEXT = { stock_kind: 'unlimited', content: 'It.' };

describe('values as people send them', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('register once for a form that is sent twice, and sign in both times', async () => {
    const browser = new BrowserLike(platform);
    const form = { username: ' twice ', email: 'twice@example.com', password: PASSWORD };
    const page = await browser.get('/');
    const first = await browser.submit(page, REGISTER, form);
    expect(first.text).to.contain('aria-label="Your API key"').and.contain('>your console</a>');
    expect((await browser.get('/console')).status).to.equal(200);

    // The browser of a double click shows the second answer, and never the first.
    const second = new BrowserLike(platform);
    const again = await second.submit(page, REGISTER, form);
    expect([again.status, again.location]).to.deep.equal([302, '/console']);
    expect((await second.get('/console')).text).to.contain('twice');

    const { browser: known, agent } = await owner(platform);
    await known.submit(await known.get('/'), REGISTER, {
      ...form,
      username: 'third',
      email: 'third@example.com',
    });
    expect((await known.get('/console')).text).to.contain(agent.username);

    const other = new BrowserLike(platform);
    for (const wrong of [{ password: 'another password' }, { email: 'else@example.com' }]) {
      const refused = await other.submit(page, REGISTER, { ...form, ...wrong });
      expect(other.cookies.has('session'), 'a session').to.equal(false);
      expect(refused.status).to.equal(422);
      expect(refused.text).to.contain('It is taken.');
      expect(other.cookies.size).to.equal(0);
    }
  });

  it('sign in with spaces around the name, which phones add, and none around the password', async () => {
    const { username } = await platform.agent();
    expect((await new BrowserLike(platform).signIn(` ${username} `)).status).to.equal(303);
    const wrong = await new BrowserLike(platform).signIn(username, { secret: `${PASSWORD} ` });
    expect(wrong.status).to.equal(401);
  });

  it('lead back from the address of a form to its page, and tell programs what it takes', async () => {
    const { browser } = await owner(platform);
    for (const [path, to] of [
      [REGISTER, '/'],
      ['/console/do/spawn_agent', '/console/agents'],
      ['/console/do/confirm_order', '/console'],
      ['/console/do/nothing', '/console'],
      ['/console/account/address/change', '/console/account'],
      ['/console/emails/upload', '/console/emails'],
      ['/console/logout', '/console'],
      ['/admin/do/run_audit', '/admin/money'],
    ]) {
      const { status, location } = await browser.get(path!);
      expect([status, location], path).to.deep.equal([303, to]);
      const { status: told, headers } = await platform.request(`GET ${path}`);
      expect([told, headers.get('allow')], path).to.deep.equal([405, 'POST, OPTIONS']);
    }
  });

  it('take an amount as a page shows it, and refuse what may mean two amounts', async () => {
    const { browser, agent } = await owner(platform);
    const child = await childOf(platform, agent);
    const path = `/console/agents/${child.id}`;
    const limitOf = async () =>
      (
        await platform.query(
          'select daily_spend_limit::text as l from policy where agent_id = $1',
          [child.id],
        )
      )[0]?.l;
    for (const [typed, micros] of [
      ['$12.50', '12500000'],
      [' $ 1\u202f000.00 ', '1000000000'],
      ['10 000', '10000000000'],
    ]) {
      const page = await browser.get(path);
      const sent = await browser.submit(page, '/console/do/set_policy', {
        daily_spend_limit: typed!,
      });
      expect(sent.status, sent.text).to.equal(303);
      expect(await limitOf(), typed).to.equal(micros);
    }
    expect((await browser.get(path)).text).to.contain('value="10000.00"');
    for (const typed of ['1,5', '1.000,50', '1e5', '0x10', '10 00', '-1', '$', '１']) {
      const page = await browser.get(path);
      const refused = await browser.submit(page, '/console/do/set_policy', {
        daily_spend_limit: typed,
      });
      expect(refused.status, typed).to.equal(422);
      expect(refused.text, typed).to.contain(`value="${typed}"`);
    }
    expect(await limitOf()).to.equal('10000000000');
  });

  it('buy no other number of units than was typed', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 1 });
    const { browser } = await owner(platform, { usd: 5 });
    for (const quantity of ['0', '-1', '1e3', '1,5', 'two', '1001', '99999', '']) {
      const { text } = await browser.get(`/console/buy/${id}?quantity=${quantity}`);
      expect(text, quantity).to.contain('Enter a whole number from 1 to 1000.');
      expect(text, quantity).not.to.contain('Buy for');
      if (quantity) expect(text, quantity).to.contain(`value="${quantity}"`);
    }
    expect((await browser.get(`/console/buy/${id}?quantity=%203%20`)).text).to.contain(
      'Buy for $3.30',
    );
  });

  it('are asked about in words and dollars before more than $100 is spent', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 95 });
    const { browser } = await owner(platform, { usd: 400 });
    const page = await browser.get(`/console/buy/${id}`);
    await platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);
    const { text } = await browser.submit(page, '/console/do/purchase_product');
    expect(text).to.match(new RegExp(`<dt>Product</dt><dd><bdi[^>]*>#${id}<`));
    expect(text).to.match(/<dt>At most<\/dt><dd><bdi[^>]*>\$104\.50</);
    expect(text).not.to.contain('max total due');
  });

  it('say that nothing was paid for what was not carried out, and why', async () => {
    const { browser, agent } = await owner(platform, { usd: 9 });
    const { id: product_id } = await platform.product(await platform.agent(), {
      ...TEXT,
      title: 'Tide tables',
    });
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000n });
    const body = { product_id };
    const asked = await platform.request('POST /api/v1/orders', { key: child.key, body });
    expect(asked.status).to.equal(202);
    const [{ id }] = await platform.query('select max(id)::int as id from pending_order');
    expect((await browser.get(`/console/orders/${id}`)).text).to.contain('<dt>To be paid</dt>');
    await setPolicy(platform, child, { max_spend_per_tx: 1n });
    const page = await browser.get('/console/todo');
    const approve = formsOf(page.text).find(({ fields }) => fields.decision?.[0] === 'approve')!;
    expect((await browser.post(approve.action, approve.fields)).status).to.equal(303);
    const decided = await eventually(
      () => browser.get('/console/todo'),
      ({ text }) => text.includes('Not carried out'),
    );
    expect(decided.text).to.contain('allows $0.000001 at a time');
    const order = (await browser.get(`/console/orders/${id}`)).text;
    expect(order).to.contain('<dt>Never paid</dt>').and.not.contain('<dt>Paid</dt>');
  });

  it('name goods that failed a check to who decides, with product and agent', async () => {
    const deal = await openDeal(platform, { ...TEXT, title: 'Tide tables' });
    const { buyer, productId, orderId } = deal;
    const check = { enabled: true, pattern: '^never$' };
    const path = `PUT /api/v1/orders/goods-checks/${productId}`;
    await platform.request(path, { key: buyer.key, body: check });
    await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    const browser = new BrowserLike(platform);
    await browser.signIn(buyer.username!);
    const { text } = await eventually(
      () => browser.get('/console/todo'),
      (page) => page.text.includes('Goods failed your check'),
    );
    const row = text.slice(text.indexOf(`id="todo-goods_to_dispute-${orderId}"`));
    expect(row.slice(0, row.indexOf('</li>')))
      .to.contain('Tide tables')
      .and.contain('$1.10');
    expect(text).to.contain(`href="/console/orders/${orderId}"`);
    const order = (await browser.get(`/console/orders/${orderId}`)).text;
    expect(order).to.contain('An item <bdi').and.contain('Goods failed the check');
    expect(order).to.contain('Pattern: <code').and.not.contain('Written by the pattern');
  });

  it('tell the first problem of a field, and no page of a seller to others', async () => {
    const { browser } = await owner(platform);
    const list = await browser.get('/console/selling/new?kind=dataset');
    expect(list.text).not.to.contain('Rows, one a line (optional)');
    const refused = await browser.submit(list, '/console/do/create_dataset', {
      title: 'Tides',
      description: 'Of two days.',
      data: '[{"a":1}]\na,b\n{"a":2}',
    });
    expect(refused.text).to.contain('Line 1: Write each row as a JSON object');
    const { id } = await platform.product(await platform.agent(), TEXT);
    const other = (await browser.get(`/console/selling/${id}`)).text;
    expect(other).to.contain('another party, sells it').and.not.contain('What happens next');
  });

  it('choose filters from lists, and learn what is wrong with one', async () => {
    const { browser } = await owner(platform);
    const { text } = await browser.get('/console/requests');
    expect(formsOf(text).find(({ fields }) => 'operation' in fields)?.choices.operation).to.include(
      'purchase_product',
    );
    const wrong = await browser.get('/console/money?from=31.12.2026');
    expect(/<p>It has a filter[^<]*/.exec(wrong.text)?.[0]).to.contain('From: Choose a day.');
    const ann = await operator(platform);
    const log = formsOf((await ann.get('/admin/log')).text).find(
      ({ fields }) => 'object_kind' in fields,
    );
    expect(log?.choices.outcome).to.deep.equal(['', 'done', 'refused']);
    expect((await ann.get('/admin/find?agent=999999')).text).to.contain('There is no agent');
    const away = await browser.get('/console/withdraw/review?amount=5&address=0x12');
    expect(away.text).to.contain('0x12').and.contain('is not an address');
  });
});
