import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, judge, labor, postLabor, take, work } from '../labor/pool.ts';
import { done } from '../tasks/board.ts';
import type { BrowserLike, PageReply } from './browser_like.ts';
import { owner } from './browser_like.ts';

describe('the list of labor of the console', function () {
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

  it('is filtered, counted and sorted on both sides, and leaves the tasks above as they are', async () => {
    const { browser, agent } = await owner(platform, { usd: 50 });
    const other = await platform.agent({ usd: 5 });
    const posted: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      const fields = { verification: 'manual' };
      posted.unshift(done(await postLabor(platform, agent, fields)).task_id);
    }
    const [newest, next] = posted as [number, number];
    await labor(platform, 'cancel', { taskId: next, key: agent.key });
    const { key } = await platform.agent();
    await work(platform, posted[4]!, { key });
    const [claim] = await claimsAs(platform, agent, posted[4]!);
    const pool = { poster: agent, taskId: posted[4]! };
    done(await judge(platform, pool, Number(claim!.claim_id), 'accept'));
    const ids = async (query: string) =>
      idsIn(await browser.get(`/console/work?${query}`), '/console/labor');
    let at = await browser.get('/console/work?status=open&sort=budget_asc');
    expect(at.text).to.include('22 labor tasks').and.include('0 tasks');
    expect(idsIn(at, '/console/labor')).to.deep.equal(posted.slice(0, 20));
    at = await follow(browser, at, 'Next page');
    expect(idsIn(at, '/console/labor')).to.deep.equal(posted.slice(20));
    at = await follow(browser, at, 'Paid');
    expect(idsIn(at, '/console/labor')[0]).to.equal(posted[4]);
    expect(at.text).to.include('name="sort" value="budget_asc"');
    expect((await ids('labor_sort=oldest'))[0]).to.equal(posted.at(-1));
    expect((await ids('labor_sort=paid_asc'))[0]).to.equal(newest);
    expect(await ids('labor_status=cancelled')).to.deep.equal([next]);
    const none = await browser.get('/console/work?labor_status=paused');
    expect(none.text).to.include('None of this labor has this state.').and.include('0 labor tasks');

    const below = await childOf(platform, agent);
    const taken: number[] = [];
    for (const reward of [0.01, 0.03, 0.02]) {
      const { task_id } = done(await postLabor(platform, other, { reward }));
      taken.unshift(task_id);
      await take(platform, task_id, taken.length === 2 ? below : agent);
      await take(platform, task_id, below);
    }
    const [third, second, first] = taken as [number, number, number];
    at = await browser.get('/console/work?labor=taken');
    expect(at.text).to.include('3 labor tasks').and.include(below.username);
    expect(idsIn(at, '/console/labor')).to.deep.equal(taken);
    at = await follow(browser, at, 'A unit');
    expect(idsIn(at, '/console/labor')).to.deep.equal([second, third, first]);
    at = await follow(browser, at, 'A unit');
    expect(idsIn(at, '/console/labor')).to.deep.equal([first, third, second]);
    expect(await ids('labor=taken&labor_status=open')).to.have.length(3);
    expect(await ids('labor=taken&labor_status=expired')).to.deep.equal([]);
    const refused = await platform.request('GET /api/v1/labor?sort=newest', { key: agent.key });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.include('/sort');
  });
});
