import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { SPENDING_TYPES } from '../../shared/domains/policies/policy.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { bidOn, done, openTask } from '../tasks/board.ts';
import { formsOf, owner, signedIn, type BrowserLike } from './browser_like.ts';

/** The forms of selling, of work and of webhooks, as they stand on their pages. */
describe('the forms of the console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const send = async (
    browser: BrowserLike,
    path: string,
    op: string,
    filled: Record<string, string | readonly string[]> = {},
  ) => browser.submit(await browser.get(path), `/console/do/${op}`, filled);

  it('list a product, change it, and take no unit twice', async () => {
    const { browser, agent } = await owner(platform);
    const listed = await send(browser, '/console/selling/new', 'create_product', {
      title: 'Street names',
      description: 'Of Lisbon.',
      category: 'serial_key',
      price: '2.50',
      items: 'one\ntwo',
    });
    expect(listed.status).to.equal(303);
    const [{ id }] = await platform.query('select id::int from product where seller_id = $1', [
      agent.id,
    ]);
    expect(listed.location).to.equal(`/console/selling/${id}?done=create_product`);
    const path = `/console/selling/${id}`;
    const changed = await send(browser, path, 'update_product', { price: '3' });
    expect(changed.status).to.equal(303);
    expect((await browser.get(path)).text).to.include('$3.00');
    const doubled = await send(browser, path, 'add_stock', { items: 'three\ntwo' });
    const { body: stock } = await platform.request(`GET /api/v1/products/${id}/stock`, {
      key: agent.key,
    });
    // A double refuses all that came with it.
    expect(doubled.status).to.equal(422);
    expect(doubled.text).to.include('role="alert"').and.include('three');
    expect(stock.available).to.equal(2);
    const refused = await send(browser, path, 'update_product', { price: 'cheap' });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.include('role="alert"').and.include('cheap');
  });

  it('say what is wrong in words for a person, not for a program', async () => {
    const { browser } = await owner(platform);
    const empty = await send(browser, '/console/selling/new', 'create_product', { items: '' });
    expect(empty.status).to.equal(422);
    expect(empty.text).to.include('Nothing was done. Correct what is said below');
    expect(empty.text).to.include('Title</a>: Fill this in.');
    expect(empty.text).to.not.match(/ \/title|must NOT|anyOf/);

    const page = await browser.get('/console/work');
    const task = { title: 'A', description: 'B', budget: '0.01' };
    expect((await browser.submit(page, '/console/do/task_post', task)).status).to.equal(303);
    const changed = await browser.submit(page, '/console/do/task_post', { ...task, title: 'C' });
    expect(changed.status).to.equal(422);
    // A refusal is kept with the key of a form too: whether they were taken is not said.
    const before = 'This form was sent before with other values. Look at what came of them.';
    expect(changed.text).to.include(before);
    expect(changed.text).to.not.include('Idempotency-Key');
  });

  it('are refused with one field twice, and nothing is done', async () => {
    const { browser, agent } = await owner(platform);
    for (const [path, action, filled] of [
      ['/console/work', '/console/do/task_post', { title: 'A', budget: ['0.02', '0.2'] }],
      ['/console/account', '/console/account/settings', { ask_above: ['1.00', '2.00'] }],
      ['/console/account', '/console/account/settings', { shortcuts: 'perhaps' }],
    ] as const) {
      const reply = await browser.submit(await browser.get(path), action, filled);
      expect(reply.status, JSON.stringify(filled)).to.equal(422);
    }
    const saved = await platform.query('select from owner_setting where agent_id = $1', [agent.id]);
    expect(saved).to.deep.equal([]);
    const posted = await platform.query('select from task where poster_id = $1', [agent.id]);
    expect(posted).to.deep.equal([]);
  });

  it('leave a product paused that is changed, until it is put on sale again', async () => {
    const { browser, agent } = await owner(platform);
    const { id } = await platform.product(agent, { price: 2 });
    const path = `/console/selling/${id}`;
    const isActive = async () => {
      const [{ active }] = await platform.query('select active from product where id = $1', [id]);
      return active as boolean;
    };
    await send(browser, path, 'update_product', { active: 'false' });
    expect(await isActive()).to.equal(false);
    await send(browser, path, 'update_product', { price: '3' });
    expect(await isActive()).to.equal(false);
  });

  it('show what an agent below sells, which its own key changes', async () => {
    const { browser, agent } = await owner(platform);
    const { body } = await platform.request('POST /api/v1/agent/spawn', {
      key: agent.key,
      body: { agent_name: 'scout', permissions: ['read', 'sell'] },
    });
    const seller = { id: body.agent.agent_id, key: body.api_key.key };
    const { id } = await platform.product(seller, { title: 'Street names', items: ['a', 'b'] });
    const path = `/console/selling/${id}`;
    const { text: list } = await browser.get('/console/selling');
    expect(list).to.include(`href="${path}"`).and.include('scout');
    const shown = await browser.get(path);
    expect(shown.status).to.equal(200);
    expect(shown.text).to.include('scout').and.not.include('/do/update_product');
    expect(shown.text).not.to.include('/do/add_stock');
    const orderId = await buy(platform, await platform.agent({ usd: 5 }), { id });
    const { text: sold } = await browser.get('/console/orders?role=seller');
    expect(sold).to.include(`href="/console/orders/${orderId}"`);
    const sale = await browser.get(`/console/orders/${orderId}`);
    expect(sale.status).to.equal(200);
    expect(sale.text).to.include('sold by').and.not.include('/do/refund_order');
  });

  it('limit what an agent may spend on by what is ticked, never to all by ticking nothing', async () => {
    const { browser, agent } = await owner(platform);
    const path = `/console/agents/${agent.id}`;
    const may = async () =>
      (await platform.request('GET /api/v1/agent/me', { key: agent.key })).body.policy
        .allowed_product_types;
    const ticked = async () =>
      formsOf((await browser.get(path)).text).find(({ action }) => action.endsWith('set_policy'))!
        .fields.allowed_product_types;
    expect(await ticked()).to.deep.equal(['', ...SPENDING_TYPES]);
    const limit = (types: string[]) =>
      send(browser, path, 'set_policy', { allowed_product_types: ['', ...types] });
    expect((await limit(['dataset', 'task'])).status).to.equal(303);
    expect(await may()).to.equal('dataset,task');
    expect(await ticked()).to.deep.equal(['', 'dataset', 'task']);
    const none = await limit([]);
    expect(none.status).to.equal(422);
    expect(none.text).to.include('role="alert"');
    expect(await may()).to.equal('dataset,task');
    expect((await limit([...SPENDING_TYPES])).status).to.equal(303);
    expect(await may()).to.equal(null);
  });

  it('show what an agent below has posted, and with whom it deals by name', async () => {
    const { browser, agent } = await owner(platform, { usd: 5 });
    const { body } = await platform.request('POST /api/v1/agent/spawn', {
      key: agent.key,
      body: { agent_name: 'scout', permissions: ['read', 'buy'] },
    });
    const scout = { id: body.agent.agent_id as number, key: body.api_key.key as string };
    const [worker, seller] = [await platform.agent(), await platform.agent()];
    const taskId = await openTask(platform, scout, { title: 'Name three seas' });
    done(await bidOn(platform, { taskId, key: worker.key }, 0.5));
    const { text: list } = await browser.get('/console/work');
    expect(list).to.include(`href="/console/work/${taskId}"`).and.include('Name three seas');
    const link = `<a href="/console/agents/${scout.id}">scout</a>`;
    expect(list).to.include(`${link}, poster`);
    const { text: task } = await browser.get(`/console/work/${taskId}`);
    expect(task).to.include(`<bdi>${worker.username}</bdi> for`);

    const orderId = await buy(platform, scout, await platform.product(seller));
    const { text: order } = await browser.get(`/console/orders/${orderId}`);
    expect(order).to.include(link).and.include(`<bdi>${seller.username}</bdi>`);
    const { text: sale } = await (
      await signedIn(platform, seller)
    ).get(`/console/orders/${orderId}`);
    expect(sale).to.include(`<bdi>${agent.username}/scout</bdi>`);
    await platform.request(`POST /api/v1/orders/${orderId}/dispute`, {
      key: scout.key,
      body: { reason: 'It does not open.' },
    });
    const { text: disputed } = await browser.get('/console/disputes');
    expect(disputed).to.include(`href="/console/orders/${orderId}"`).and.include(link);
    for (const text of [task, order, sale]) expect(text).not.to.match(/agent \d/i);
  });

  it('post a task, take a bid and pay for the result', async () => {
    const { browser, agent } = await owner(platform, { usd: 5 });
    const worker = await platform.agent();
    const posted = await send(browser, '/console/work', 'task_post', {
      title: 'Count the trees',
      description: 'Of the park.',
      budget: '2',
    });
    expect(posted.status).to.equal(303);
    const [, id] = /work\/(\d+)/.exec(posted.location!)!;
    const call = (action: string, body: object) =>
      platform.request(`POST /api/v1/tasks/${id}/${action}`, { key: worker.key, body });
    expect((await call('bids', { bid_amount: 1.5, proposal: 'By hand.' })).status).to.equal(200);
    const path = `/console/work/${id}`;
    expect((await send(browser, path, 'task_accept_bid')).status).to.equal(303);
    expect((await call('submit', { result: '412 trees.' })).status).to.equal(200);
    expect((await browser.get(path)).text).to.match(/412 trees\.(?!.*review_deadline)/s);
    const before = await platform.balance(worker);
    expect((await send(browser, path, 'task_approve')).status).to.equal(303);
    expect(await platform.balance(worker)).to.be.greaterThan(before);
    expect((await browser.get(path)).text).not.to.include('held for it');
    expect(await platform.balance(agent)).to.be.closeTo(5.5 - 1.5, 0.2);
  });

  it('add an endpoint whose secret is shown once, pause it and take it away', async () => {
    const { browser, agent } = await owner(platform);
    const added = await send(browser, '/console/webhooks', 'create_webhook', {
      url: 'https://ada.example/hook',
      types: 'order.*',
    });
    expect(added.status).to.equal(200);
    const [secret] = /whsec_[\w+/=-]+/.exec(added.text)!;
    const found = async () =>
      (await platform.request('GET /api/v1/webhooks', { key: agent.key })).body.webhooks;
    const [{ webhook_id: id }] = await found();
    const path = `/console/webhooks/${id}`;
    expect((await browser.get(path)).text).to.not.include(secret);
    expect((await send(browser, path, 'update_webhook')).status).to.equal(303);
    expect((await found())[0].status).to.equal('disabled');
    const renewed = await send(browser, path, 'rotate_webhook_secret');
    expect(/whsec_[\w+/=-]+/.exec(renewed.text)![0]).to.not.equal(secret);
    expect((await send(browser, path, 'delete_webhook')).status).to.equal(303);
    expect(await found()).to.deep.equal([]);
  });

  it('withdraw to an address, and take it back before it is paid', async () => {
    const { browser, agent } = await owner(platform, { usd: 30 });
    const before = await platform.balance(agent);
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const review = (amount: number) =>
      `/console/withdraw/review?amount=${amount}&address=${address}`;
    const sent = await send(browser, review(12), 'withdraw');
    expect(sent.status, sent.text.slice(0, 500)).to.equal(303);
    expect(await platform.balance(agent)).to.equal(before - 12);
    const page = await browser.get('/console/withdraw');
    expect(page.text).to.include('Cancel, and keep');
    const cancelled = await browser.submit(page, '/console/do/cancel_withdrawal');
    expect(cancelled.status).to.equal(303);
    expect(await platform.balance(agent)).to.equal(before);
    const beyond = await browser.get(review(9_000));
    expect(beyond.text).to.include('not so much cash').and.not.to.include('/console/do/withdraw');
    expect(await platform.balance(agent)).to.equal(before);
  });
});
