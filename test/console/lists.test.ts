import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import type { BrowserLike, PageReply } from './browser_like.ts';
import { owner, signedIn } from './browser_like.ts';

/** More than a page or a list of choices has. */
const AGENTS = 230;
const ORDERS = 45;

describe('the lists of the console', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const linkIn = ({ text }: PageReply, label: string): string | undefined =>
    new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&');
  const follow = async (browser: BrowserLike, reply: PageReply, label: string) => {
    const next = await browser.get(linkIn(reply, label)!);
    expect(next.status, label).to.equal(200);
    return next;
  };
  const idsIn = ({ text }: PageReply, path: string) =>
    [...text.matchAll(new RegExp(`<td[^>]*><a href="${path}/(\\d+)"`, 'g'))].map(([, id]) =>
      Number(id),
    );

  it('lead to the next page and back, count their rows, and are sorted by a click', async () => {
    const { buyer, product } = await meet(platform, {
      usd: 20,
      stock_kind: 'unlimited',
      content: 'It.',
      price: 0.01,
    });
    const bought: number[] = [];
    for (let n = 0; n < ORDERS; n += 1) {
      bought.unshift(await buy(platform, buyer, product, 1 + (n % 7)));
    }
    const browser = await signedIn(platform, buyer);
    const shown: number[] = [];
    let at = await browser.get('/console/orders');
    expect(at.text).to.include(`${ORDERS} orders`);
    expect(linkIn(at, 'Previous page')).to.equal(undefined);
    for (;;) {
      shown.push(...idsIn(at, '/console/orders'));
      if (!linkIn(at, 'Next page')) break;
      at = await follow(browser, at, 'Next page');
    }
    expect(shown).to.deep.equal(bought);
    at = await follow(browser, at, 'Previous page');
    expect(idsIn(at, '/console/orders')).to.deep.equal(bought.slice(20, 40));
    at = await follow(browser, at, 'First page');
    expect(idsIn(at, '/console/orders')).to.deep.equal(bought.slice(0, 20));
    expect(linkIn(at, '(Previous|First) page')).to.equal(undefined);

    const amountOf = new Map(bought.map((id, n) => [id, 1 + ((ORDERS - 1 - n) % 7)]));
    const amountsIn = (reply: PageReply) =>
      idsIn(reply, '/console/orders').map((id) => amountOf.get(id)!);
    at = await follow(browser, at, 'Amount');
    expect(at.text).to.include('aria-sort="descending"');
    const highest = [...amountOf.values()].toSorted((a, b) => b - a);
    expect(amountsIn(at)).to.deep.equal(highest.slice(0, 20));
    at = await follow(browser, at, 'Next page');
    expect(amountsIn(at)).to.deep.equal(highest.slice(20, 40));
    at = await follow(browser, at, 'Amount');
    expect(amountsIn(at)).to.deep.equal(highest.toReversed().slice(0, 20));
    at = await follow(browser, at, 'When');
    expect(idsIn(at, '/console/orders')).to.deep.equal(bought.slice(0, 20));
    at = await browser.get('/console/orders?status=completed');
    expect(at.text).to.include('0 orders');
    expect((await browser.get('/console/orders?sort=best')).status).to.equal(422);

    at = await browser.get('/console/events?type=order.*');
    const events = [...at.text.matchAll(/<li id="evt_(\d+)"/g)].map(([, id]) => Number(id));
    expect(events).to.have.length(ORDERS);
    expect(events).to.deep.equal(events.toSorted((a, b) => b - a));
  });

  it('find, name and sort every agent of a tree of hundreds', async () => {
    const { browser, agent } = await owner(platform);
    await platform.query(
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, $2 || '/scout-' || n, $1, $1, array[$1, id]
         from (select n, nextval('agent_id') as id from generate_series(1, ${AGENTS}) n) made`,
      [agent.id, agent.username],
    );
    await platform.query(
      `insert into spend (agent_id, root_id) select id, root_id from agent
        where root_id = $1 and id <> $1`,
      [agent.id],
    );
    const [{ id: oldest }] = await platform.query(
      `select min(id)::int as id from agent where root_id = $1 and id <> $1`,
      [agent.id],
    );
    const list = await browser.get('/console/agents');
    expect(list.text).to.include(`${AGENTS} agents`);
    const named = await follow(browser, list, 'Agent');
    expect(idsIn(named, '/console/agents')[0]).to.equal(oldest);
    const found = await browser.get('/console/agents?name=SCOUT-1&sort=name');
    expect(found.text).to.include('111 agents');
    expect((await browser.get('/console/agents?name=nobody')).text).to.include('No agent has');
    const { text } = await browser.get('/console/find?query=scout-1');
    expect(text).to.include(`href="/console/agents/${oldest}"`);
    expect((await browser.get(`/console/keys?agent=${oldest}`)).text).to.include('Keys of scout-1');
    const orders = await browser.get(`/console/orders?agent=${oldest}`);
    expect(orders.text).to.include('Number of the agent').and.include(`value="${oldest}"`);
  });

  it('of products are filtered by state and sorted by price', async () => {
    const { browser, agent } = await owner(platform);
    const made = [];
    for (const price of [2, 3, 1]) made.push((await platform.product(agent, { price })).id);
    await platform.query(`update product set status = 'rejected' where id = $1`, [made[1]]);
    const ids = async (query: string) =>
      idsIn(await browser.get(`/console/selling?${query}`), '/console/selling');
    expect(await ids('')).to.deep.equal(made.toReversed());
    expect(await ids('sort=price_desc')).to.deep.equal([made[1], made[0], made[2]]);
    expect(await ids('status=rejected')).to.deep.equal([made[1]]);
    const none = await browser.get('/console/selling?status=suspended');
    expect(none.text).to.include('None of your products has this state.');
  });

  it('of tasks are filtered, counted, and sorted by budget and due time, both ways', async () => {
    const { browser, agent } = await owner(platform, { usd: 50 });
    const made: number[] = [];
    for (let n = 0; n < 24; n += 1) {
      const body = { title: `Task ${n}`, budget: 0.01 * (1 + (n % 5)) };
      const { body: task } = await platform.request('POST /api/v1/tasks', {
        key: agent.key,
        body,
      });
      made.unshift(task.task_id);
    }
    const below = await childOf(platform, agent);
    const other = await platform.agent({ usd: 5 });
    const foreign = await platform.request('POST /api/v1/tasks', {
      key: other.key,
      body: { title: 'Of another', budget: 1 },
    });
    const bid = { bid_amount: 0.5, proposal: 'By hand.' };
    const route = `POST /api/v1/tasks/${foreign.body.task_id}/bids`;
    await platform.request(route, { key: below.key, body: bid });
    await platform.request(`POST /api/v1/tasks/${made[3]}/cancel`, { key: agent.key });
    const all = [foreign.body.task_id, ...made];
    const ids = async (query: string) =>
      idsIn(await browser.get(`/console/work?${query}`), '/console/work');
    let at = await browser.get('/console/work');
    expect(at.text).to.include('25 tasks');
    expect(idsIn(at, '/console/work')).to.deep.equal(all.slice(0, 20));
    at = await follow(browser, at, 'Next page');
    expect(idsIn(at, '/console/work')).to.deep.equal(all.slice(20));
    expect(await ids('sort=oldest')).to.deep.equal(all.toReversed().slice(0, 20));
    const dearest = await ids('sort=budget_desc');
    expect(dearest.slice(0, 2)).to.deep.equal([all[0], made.find((_, n) => (23 - n) % 5 === 4)]);
    const cheapest = await ids('sort=budget_asc');
    expect(cheapest[0]).to.equal(made.find((_, n) => (23 - n) % 5 === 0));
    expect((await ids('sort=due'))[0]).to.equal(made.at(-1));
    expect(await ids('status=cancelled')).to.deep.equal([made[3]]);
    at = await browser.get('/console/work?status=open&sort=oldest');
    expect(at.text).to.include('24 tasks');
    at = await follow(browser, at, 'Next page');
    expect(idsIn(at, '/console/work')).to.have.length(4);
    const none = await browser.get('/console/work?status=disputed');
    expect(none.text).to.include('None of your tasks has this state.').and.include('0 tasks');
    expect((await browser.get('/console/work?sort=best')).status).to.equal(422);
  });

  it('of keys and webhooks too', async () => {
    const { browser, agent } = await owner(platform);
    const call = async (route: string, body?: object) =>
      (await platform.request(route, { key: agent.key, ...(body && { body }) })).body;
    const keys = [];
    for (const name of ['b', 'a']) {
      keys.push(await call('POST /api/v1/agent/keys', { name, scopes: ['read'] }));
    }
    await call(`DELETE /api/v1/agent/keys/${keys[0].key_id}`);
    const namesIn = async (query: string) =>
      [
        ...(await browser.get(`/console/keys?${query}`)).text.matchAll(
          /<td[^>]*><bdi class="words">([^<]*)<\/bdi><\/td>/g,
        ),
      ].map(([, name]) => name);
    expect((await browser.get('/console/keys')).text).to.include('3 keys');
    const first = (await namesIn('')).at(-1);
    expect(await namesIn('')).to.deep.equal(['a', 'b', first]);
    expect(await namesIn('sort=oldest')).to.deep.equal([first, 'b', 'a']);
    expect(await namesIn('sort=name')).to.deep.equal(['a', 'b', first]);
    // Uses are noted some time after a call.
    await platform.query(
      `update api_key set last_used_at = now() where agent_id = $1 and name = $2`,
      [agent.id, first],
    );
    expect((await namesIn('sort=used_desc'))[0]).to.equal(first);
    expect((await namesIn('sort=used_asc')).at(-1)).to.equal(first);
    expect(await namesIn('status=ended')).to.deep.equal(['b']);
    expect(await namesIn('status=working')).to.deep.equal(['a', first]);
    const ended = await browser.get(`/console/keys?agent=${agent.id}&status=ended`);
    expect(ended.text).to.include('1 key').and.include('value="ended" selected');

    const hooks = [];
    for (const host of ['b', 'a']) {
      hooks.push(await call('POST /api/v1/webhooks', { url: `https://${host}.example/hook` }));
    }
    await call(`PATCH /api/v1/webhooks/${hooks[1].webhook_id}`, { status: 'disabled' });
    const [b, a] = hooks.map(({ webhook_id }) => webhook_id);
    const shown = async (query: string) =>
      idsIn(await browser.get(`/console/webhooks?${query}`), '/console/webhooks');
    expect((await browser.get('/console/webhooks')).text).to.include('2 endpoints');
    expect(await shown('')).to.deep.equal([a, b]);
    expect(await shown('sort=oldest')).to.deep.equal([b, a]);
    expect(await shown('sort=url')).to.deep.equal([a, b]);
    expect(await shown('sort=arrived_desc')).to.deep.equal([a, b]);
    expect(await shown('status=disabled')).to.deep.equal([a]);
    expect(await shown('status=active')).to.deep.equal([b]);
  });
});
