import { expect } from 'chai';

import { OPERATOR_PAGES } from '../../api/console/operator/pages.ts';
import { OWNER_PAGES } from '../../api/console/owner/pages.ts';
import { TestPlatform } from '../harness.ts';
import { formsOf, operator, owner, PASSWORD, type BrowserLike } from './browser_like.ts';
import { busyOwner } from './busy_owner.ts';

const ASK_ABOVE = '77.00';

describe('a form that was filled in under another account', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const tasksOf = (id: number) =>
    platform.query('select title from task where poster_id = $1', [id]);
  const settings = () => platform.query('select agent_id from owner_setting');
  const task = { title: 'Count the trees', description: 'In Lisbon.', budget: '0.05' };
  /** Another owner signs in with the same browser, as in another tab. */
  const switchTo = async (browser: BrowserLike) => {
    const other = await platform.agent({ usd: 1 });
    expect((await browser.signIn(other.username)).status).to.equal(303);
    return other;
  };

  it('is refused and comes back, filled in, and is then done by who sends it', async () => {
    const { browser, agent } = await owner(platform, { usd: 1 });
    const page = await browser.get('/console/work');
    const account = await browser.get('/console/account');
    const other = await switchTo(browser);

    const refused = await browser.submit(page, '/console/do/task_post', task);
    expect(refused.status).to.equal(403);
    expect(refused.text)
      .to.include('was filled in under another account')
      .and.include(`signed in as ${other.username}`)
      .and.include(task.title);
    const action = '/console/account/settings';
    const kept = await browser.submit(account, action, { ask_above: ASK_ABOVE });
    expect(kept.status).to.equal(403);
    expect(kept.text).to.include('under another account').and.include(ASK_ABOVE);
    expect([...(await tasksOf(agent.id)), ...(await tasksOf(other.id))]).to.deep.equal([]);
    expect(await settings()).to.deep.equal([]);

    const again = await browser.submit(refused, '/console/do/task_post');
    expect(again.status).to.equal(303);
    expect(await tasksOf(other.id)).to.deep.equal([{ title: task.title }]);
    expect(await tasksOf(agent.id)).to.deep.equal([]);
    expect((await browser.submit(kept, action)).status).to.equal(200);
    expect(await settings()).to.deep.equal([{ agent_id: String(other.id) }]);
  });

  it('is refused in the same words where this account sees no such page', async () => {
    const { browser, agent } = await owner(platform);
    const { id } = await platform.product(agent, { price: 2 });
    const page = await browser.get(`/console/selling/${id}`);
    await switchTo(browser);
    const refused = await browser.submit(page, '/console/do/update_product', { price: '3' });
    expect(refused.status).to.equal(403);
    expect(refused.text).to.include('was filled in under another account');
    const [{ price }] = await platform.query('select price::int from product where id = $1', [id]);
    expect(price).to.equal(2_000_000);
  });

  it('is said to be one where its session was over and another account signs in', async () => {
    const { browser } = await owner(platform);
    const page = await browser.get('/console/work');
    browser.cookies.clear();
    const asked = await browser.submit(page, '/console/do/task_post', task);
    expect(asked.status).to.equal(401);
    const other = await platform.agent();
    const name = other.username;
    const shown = await browser.submit(asked, '/console/login', { name, secret: PASSWORD });
    expect(shown.text).to.include('was filled in under another account').and.include(task.title);
    expect(await tasksOf(other.id)).to.deep.equal([]);
  });

  it('is one that names two accounts, also where its session was over', async () => {
    const { browser, agent } = await owner(platform, { usd: 1 });
    const named = { ...task, _back: '/console/work', _account: [agent.username, 'ada'] };
    const refused = await browser.post('/console/do/task_post', named);
    expect(refused.status).to.equal(403);
    expect(refused.text).to.include('under another account').and.include(task.title);
    browser.cookies.clear();
    const asked = await browser.post('/console/do/task_post', named);
    const signIn = { name: agent.username, secret: PASSWORD };
    const shown = await browser.submit(asked, '/console/login', signIn);
    expect([shown.status, browser.cookies.has('session')]).to.deep.equal([200, true]);
    expect(shown.text).to.include('under another account').and.include(task.title);
    expect(await tasksOf(agent.id)).to.deep.equal([]);
  });

  it('can be told apart: each form of the consoles names its account', async () => {
    const { browser, agent, pathOf } = await busyOwner(platform);
    const ann = await operator(platform);
    const owners = [...OWNER_PAGES.map(pathOf), '/console/account'];
    const operators = OPERATOR_PAGES.filter(({ path }) => !path.includes(':'));
    let forms = 0;
    for (const [who, name, paths] of [
      [browser, agent.username, owners],
      [ann, 'operator', operators.map(({ path }) => path)],
    ] as const) {
      for (const path of paths) {
        for (const { action, fields } of formsOf((await who.get(path)).text)) {
          if (!/^\/(console|admin)\/(do|account)\//.test(action)) continue;
          expect(fields._account, `${path} ${action}`).to.deep.equal([name]);
          forms += 1;
        }
      }
    }
    expect(forms).to.be.greaterThan(30);
  });
});
