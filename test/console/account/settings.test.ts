import { expect } from 'chai';

import { childOf } from '../../agents/child.ts';
import { TestPlatform } from '../../harness.ts';
import { setPolicy } from '../../policy.ts';
import { owner, PASSWORD } from '../browser_like.ts';

const PATH = '/console/account/settings';
const CHOICES = { ask_above: '25.00', times: 'mine', theme: 'system', shortcuts: 'on' };

describe('what an owner chooses for its console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('is said to the style and the script of every page, and of nobody else', async () => {
    const { browser } = await owner(platform);
    const { browser: other } = await owner(platform);
    const root = async (one: typeof browser) =>
      /<html[^>]*>/.exec((await one.get('/console/todo')).text)![0];
    expect(await root(browser)).not.to.match(/data-(theme|times|shortcuts)/);
    const chosen = { ...CHOICES, times: 'utc', theme: 'dark', shortcuts: 'off' };
    const saved = await browser.submit(await browser.get('/console/account'), PATH, chosen);
    expect(saved.status).to.equal(200);
    expect(saved.text).to.match(/<html[^>]*data-theme="dark"/);
    expect(await root(browser))
      .to.include('data-theme="dark"')
      .and.include('data-times="utc"')
      .and.include('data-shortcuts="off"');
    expect(await root(other)).not.to.match(/data-(theme|times|shortcuts)/);
    const { text } = await browser.get('/console/account');
    expect(text).to.match(/<option value="dark" selected/);
    await browser.post(PATH, CHOICES);
    expect(await root(browser)).not.to.match(/data-(theme|times|shortcuts)/);
  });

  it('is above which amount an approval is asked once more', async () => {
    const { browser, agent } = await owner(platform, { usd: 20 });
    const seller = await platform.agent();
    const product = await platform.product(seller, { price: 4 });
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000_000n });
    const order = { product_id: product.id };
    await platform.request('POST /api/v1/orders', { key: child.key, body: order });
    const asks = async () => (await browser.get('/console/todo')).text.includes('may spend $4.40');
    expect(await asks()).to.equal(false);
    await browser.post(PATH, { ...CHOICES, ask_above: '4.39' });
    expect(await asks()).to.equal(true);
    await browser.post(PATH, { ...CHOICES, ask_above: '4.40' });
    expect(await asks()).to.equal(false);
  });

  it('comes back as it was typed when the session was over, or where it is refused', async () => {
    const { browser, agent } = await owner(platform);
    const page = await browser.get('/console/account');
    const chosen = { ask_above: '77.50', times: 'utc', theme: 'dark', shortcuts: 'off' };
    await platform.query('update web_session set ends_at = now() where agent_id = $1', [agent.id]);
    const late = await browser.submit(page, PATH, chosen);
    expect(late.status).to.equal(401);
    const who = { name: agent.username, secret: PASSWORD };
    const back = await browser.submit(late, '/console/login', who);
    expect(back.status).to.equal(200);
    expect(back.text).to.include('Nothing was sent').and.include('value="77.50"');
    expect(back.text).to.match(/<option value="dark" selected/);
    const settingsOf = async () =>
      (await platform.query('select * from owner_setting where agent_id = $1', [agent.id])).length;
    expect(await settingsOf()).to.equal(0);
    const wrong = await browser.submit(back, PATH, { ...chosen, ask_above: 'a lot' });
    expect(wrong.status).to.equal(422);
    expect(wrong.text)
      .to.include('value="a lot"')
      .and.match(/<option value="dark" selected/);
    expect(await settingsOf()).to.equal(0);
    expect((await browser.submit(back, PATH, chosen)).status).to.equal(200);
    expect(await settingsOf()).to.equal(1);
  });

  it('keeps no secret of a form that came too late', async () => {
    const { browser, agent } = await owner(platform);
    const page = await browser.get('/console/account');
    await platform.query('update web_session set ends_at = now() where agent_id = $1', [agent.id]);
    const late = await browser.submit(page, '/console/account/password', {
      secret: 'the old one, typed',
      password: 'the new one, typed',
    });
    expect(late.status).to.equal(401);
    expect(late.text).to.not.include('one, typed');
    expect((await browser.signIn(agent.username)).status).to.equal(303);
  });

  it('is refused where no form of ours sends it, and stays as it was', async () => {
    const { browser, agent } = await owner(platform);
    for (const wrong of [
      { ask_above: '-1' },
      { ask_above: '1e3' },
      { ask_above: '1000001' },
      { theme: 'pink"><script>' },
      { times: 'then' },
    ]) {
      expect((await browser.post(PATH, { ...CHOICES, ...wrong })).status).to.equal(422);
    }
    const rows = await platform.query('select * from owner_setting where agent_id = $1', [
      agent.id,
    ]);
    expect(rows).to.deep.equal([]);
  });
});
