import { expect } from 'chai';

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
});
