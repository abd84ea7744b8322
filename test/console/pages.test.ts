import { expect } from 'chai';

import { inputFor, readingsOf } from '../../api/console/readings.ts';
import { PAGES } from '../../api/console/routes.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { parse } from '../../shared/kernel/schema.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { BrowserLike, owner, PASSWORD, signedIn } from './browser_like.ts';
import { busyOwner } from './busy_owner.ts';

const pages = PAGES.filter(({ access }) => access === 'owner');

describe('the pages of an owner', () => {
  let platform: TestPlatform;
  let busy: Awaited<ReturnType<typeof busyOwner>>;
  before(async () => {
    platform = await TestPlatform.open();
    busy = await busyOwner(platform);
  });
  after(() => platform.close());

  it('are more than a few, with one path each', () => {
    expect(pages.length).to.be.greaterThan(15);
    expect(new Set(pages.map(({ path }) => path)).size).to.equal(pages.length);
  });

  it('ask in their cards for what operations take, as do those of operators', () => {
    // A refused card is empty: a page that asked for more than a list has would never show it.
    const kinds = ['order_disputes', 'task_disputes', 'labor_appeals', 'withdrawals'];
    const ofKinds = kinds.flatMap((kind) => [{ kind }, { kind, id: '7' }]);
    let count = 0;
    for (const page of PAGES.filter(({ path }) => !path.includes(':'))) {
      for (const query of [{}, ...(page.path === '/admin/decisions' ? ofKinds : [])]) {
        const asked = { params: {}, query, agentId: 7 };
        for (const { name, reading } of readingsOf(page)) {
          const input = inputFor(reading, asked);
          if (input) parse(catalog.get(name)!.input, input);
          count += 1;
        }
      }
    }
    expect(count).to.be.greaterThan(100);
  });

  for (const page of pages) {
    it(`${page.path} shows what there is, and what there would be`, async () => {
      const reply = await busy.browser.get(busy.pathOf(page));
      expect(reply.status, reply.text.slice(0, 3_000)).to.equal(200);
      expect(reply.text).to.include('<h1');
      expect(reply.text).not.to.match(/undefined|NaN|\[object Object\]|style=/);
      if (Object.keys(page.reads).length > 0) expect(reply.text).to.include('This page by API');
      if (page.path.includes(':')) return;
      const { browser } = await owner(platform);
      const empty = await browser.get(page.path);
      expect(empty.status).to.equal(200);
      expect(empty.text).not.to.match(/undefined|NaN|\[object Object\]/);
    });

    it(`${page.path} is for nobody who has not signed in`, async () => {
      const reply = await new BrowserLike(platform).get(busy.pathOf(page));
      expect(reply.status).to.equal(303);
      expect(reply.location).to.match(/^\/console\/login\?next=/);
    });

    it(`${page.path} says by which calls its numbers are had, and they answer`, async () => {
      const { text } = await busy.browser.get(busy.pathOf(page));
      const shown = /<summary>This page by API<\/summary>.*?<code>(.*?)<\/code>/s.exec(text)?.[1];
      const calls = [
        ...(shown ?? '').matchAll(
          /curl (?:-X (\w+) )?&quot;\$MARKET([^&]*?(?:&amp;[^&]*?)*)&quot;/g,
        ),
      ];
      expect(calls.length > 0).to.equal(Object.keys({ ...page.reads, ...page.cards }).length > 0);
      for (const [, method = 'GET', path] of calls) {
        const route = `${method} ${path!.replaceAll('&amp;', '&')}`;
        const { status } = await platform.request(route, { key: busy.agent.key });
        expect(status, route).to.be.oneOf([200, 202]);
      }
    });
  }

  it('show what others wrote as text, whatever it holds', async () => {
    const title = `</h1><script>alert(1)</script>"'\u202e`;
    const seller = await platform.agent();
    const product = await platform.product(seller, { title, price: 0.1 });
    const { browser, agent } = await owner(platform, { usd: 1 });
    const orderId = await buy(platform, agent, product);
    for (const path of ['/console/orders', `/console/orders/${orderId}`]) {
      const { text } = await browser.get(path);
      expect(text).not.to.include('<script>alert');
      expect(text).to.include('&lt;script>alert(1)&lt;/script>');
    }
  });

  it('say in their navigation how much waits, the account and a question for a proof too', async () => {
    const countIn = ({ text }: { text: string }) =>
      /, waiting: <\/span>(\d+)/.exec(text)?.[1] ?? '0';
    const waiting = countIn(await busy.browser.get('/console'));
    expect(Number(waiting)).to.be.greaterThan(0);
    expect(countIn(await busy.browser.get('/console/account'))).to.equal(waiting);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [busy.agent.id],
    );
    const page = await busy.browser.get(`/console/agents/${busy.agent.id}`);
    const asked = await busy.browser.submit(page, '/console/do/set_policy');
    expect(asked.status).to.equal(403);
    expect(countIn(asked)).to.equal(waiting);
  });

  it('that do not exist are a page too', async () => {
    const reply = await busy.browser.get('/console/orders/999999');
    expect(reply.status).to.equal(404);
    expect(reply.headers.get('content-type')).to.match(/^text\/html/);
    expect(reply.text).to.include('There is no such');
    for (const [path, home] of [
      ['/nothing/here', '/'],
      ['/marketing', '/'],
      ['/console/nothing', '/console'],
      ['/docs/a/b/c/d', '/docs'],
      ['/%E0%A4%A', '/'],
    ]) {
      const { status, text } = await busy.browser.get(path!);
      expect([status, text.includes('There is no such page')], path).to.deep.equal([404, true]);
      expect(text, path).to.include(`<a class="button main" href="${home}">`);
    }
    const program = await platform.request('GET /nothing/here');
    expect([program.status, program.body.error]).to.deep.equal([404, 'not_found']);
  });

  it('have no figure that the wallet does not have', async () => {
    const { body } = await platform.request('GET /api/v1/wallet', { key: busy.agent.key });
    const { text } = await busy.browser.get('/console/money');
    for (const field of ['balance', 'in_escrow', 'owed'] as const) {
      expect(text).to.include(`$${body[field].toFixed(2)}`);
    }
  });

  it('load a script, a style and a font by names that may be kept for a year', async () => {
    const { text } = await busy.browser.get('/console');
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets).to.have.length(3);
    for (const path of assets) {
      const reply = await busy.browser.get(path, { 'accept-encoding': 'gzip' });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.include('immutable');
    }
    expect((await busy.browser.get('/assets/../package.json')).status).to.equal(404);
    expect((await busy.browser.get('/assets/no-such-file.js')).status).to.equal(404);
  });

  it('have words for the reason why a task with unasked work is cancelled', async () => {
    const { agent, browser } = busy;
    const body = { title: 'Name a lake', budget: 0.05 };
    const posted = await platform.request('POST /api/v1/tasks', { key: agent.key, body });
    const id = posted.body.task_id as number;
    const { key } = await platform.agent();
    const submitted = await platform.request(`POST /api/v1/tasks/${id}/submit`, {
      key,
      body: { result: 'Lake Van' },
    });
    expect(submitted.status, submitted.text).to.equal(200);
    const { status, text } = await browser.get(`/console/work/${id}`);
    expect(status, text.slice(0, 500)).to.equal(200);
    expect(text).to.include('Those who submitted work read it.');
  });
});

describe('the account', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('shows where one is signed in, and ends what is not wanted at once', async () => {
    const { browser, agent } = await owner(platform);
    const second = await signedIn(platform, agent);
    const third = await signedIn(platform, agent);
    const page = await browser.get('/console/account');
    const ids = [...page.text.matchAll(/name="session" value="(\d+)"/g)].map(([, id]) => id!);
    expect(ids).to.have.length(2);
    await browser.post('/console/account/sessions', { session: ids.at(-1)! });
    expect((await second.get('/console')).status).to.equal(303);
    expect((await third.get('/console')).status).to.equal(200);
    await browser.post('/console/account/sessions', { session: 'others' });
    expect((await third.get('/console')).status).to.equal(303);
    expect((await browser.get('/console')).status).to.equal(200);
  });

  it('ends no session of another owner', async () => {
    const { browser, agent } = await owner(platform);
    const { browser: other } = await owner(platform);
    const [{ id }] = await platform.query('select id from web_session where agent_id = $1', [
      agent.id,
    ]);
    await other.post('/console/account/sessions', { session: String(id) });
    expect((await browser.get('/console')).status).to.equal(200);
  });

  it('changes the password for who knows it, and ends all other sessions', async () => {
    const { browser, agent } = await owner(platform);
    const other = await signedIn(platform, agent);
    const path = '/console/account/password';
    const password = 'another horse staple';
    const wrong = await browser.post(path, { secret: 'not this one', password });
    expect(wrong.status).to.equal(401);
    expect((await browser.post(path, { secret: PASSWORD, password: 'short' })).status).to.equal(
      422,
    );
    expect((await other.get('/console')).status).to.equal(200);
    expect((await browser.post(path, { secret: PASSWORD, password })).status).to.equal(200);
    expect((await other.get('/console')).status).to.equal(303);
    expect((await browser.get('/console')).status).to.equal(200);
    const old = new BrowserLike(platform);
    expect((await old.signIn(agent.username)).status).to.equal(401);
    expect((await old.signIn(agent.username, { secret: password })).status).to.equal(303);
  });
});
