// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { setPolicy } from '../policy.ts';
import { eventually } from '../harness.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { excessWidth, problemsOf } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { focused, tabTo } from './focus.ts';
import { heading, inBrowser, signIn } from './in_browser.ts';

describe('the console by keyboard', function () {
  this.timeout(120_000);
  const at = inBrowser();

  async function signInByKeys(page: Page, name: string): Promise<void> {
    await page.goto(`${at.platform.url}/console`);
    // The field of the name has the focus.
    await eventually(
      () => focused(page),
      (at) => at === 'Name',
    );
    await page.keyboard.type(name);
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Home');
  }

  it('leads from registering over an approval to what was bought', async () => {
    const { page, context, faults } = await freshPage(at.browser);
    await page.goto(at.platform.url);
    await tabTo(page, 'Name');
    await page.keyboard.type('by-keys');
    await tabTo(page, 'Email');
    await page.keyboard.type('by-keys@example.com');
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await tabTo(page, 'Register');
    await page.keyboard.press('Enter');
    const key = await page.getByLabel('Your API key').inputValue();

    const [{ id }] = await at.platform.query(
      `select id::int from agent where username = 'by-keys'`,
    );
    await at.platform.fund(id, 60);
    const body = { agent_name: 'scout', permissions: ['read', 'buy'] };
    const spawned = (await at.platform.request('POST /api/v1/agent/spawn', { key, body })).body;
    const scout = { id: spawned.agent.agent_id, key: spawned.api_key.key };
    await setPolicy(at.platform, scout, { approval_threshold: 5_000_000n });
    const seller = await at.platform.agent();
    const product = await at.platform.product(seller, { title: 'Maps', price: 30 });

    await tabTo(page, 'your console');
    await page.keyboard.press('Enter');
    await heading(page, 'Home');
    await page.locator('.live:not([hidden])').waitFor();
    await at.platform.request('POST /api/v1/orders', {
      key: scout.key,
      body: { product_id: product.id },
    });
    // The page shows it without being loaded again.
    await page.getByText('asks to buy').waitFor();
    await tabTo(page, 'Approve $33.00');
    await page.keyboard.press('Enter');
    await eventually(
      () => focused(page),
      (at) => at === 'Approve $33.00',
    );
    expect(await page.getByRole('dialog').innerText()).to.include('It may spend $33.00');
    // No trap: Escape leaves, and the focus is where it was.
    await page.keyboard.press('Escape');
    expect(await focused(page)).to.equal('Approve $33.00');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Your decision was saved.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).to.equal(
      'status',
    );

    const [order] = await at.platform.query('select id::int from orders where buyer_id = $1', [
      scout.id,
    ]);
    await page.keyboard.press('/');
    await page.keyboard.type(`#${order.id}`);
    await page.keyboard.press('Enter');
    await heading(page, 'Find');
    await page.locator('main').focus();
    await page.keyboard.press('j');
    expect(await focused(page)).to.equal(`Order #${order.id}`);
    await page.keyboard.press('Enter');
    await heading(page, /Maps/);
    await tabTo(page, 'Open the vault');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^KEY-/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('has single keys, a list of them, and does without where they are turned off', async () => {
    const owner = await at.platform.agent({ usd: 5 });
    const { page, context, faults } = await freshPage(at.browser);
    await signInByKeys(page, owner.username);
    // The first thing is the way past the navigation.
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).to.equal('main');
    for (const [key, name] of [
      ['t', 'To do'],
      ['m', 'Balance and statement'],
      ['a', 'Agents'],
      ['o', 'Orders and vault'],
      ['s', 'Selling'],
      ['w', 'Work'],
      ['k', 'Keys and connecting'],
      ['h', 'Home'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await heading(page, name);
    }
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keys' });
    await list.waitFor();
    expect(await list.innerText()).to.include('Balance and statement');
    expect(await problemsOf(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await focused(page)).to.match(/^Find an order/i);
    // In a field, letters are letters.
    await page.keyboard.type('gm?');
    await heading(page, 'Home');
    await page.keyboard.press('Enter');
    await heading(page, 'Find');
    await page.getByText('Nothing has that number or name').waitFor();

    await page.goto(`${at.platform.url}/console`);
    await page.evaluate(() => (document.documentElement.dataset.shortcuts = 'off'));
    for (const key of ['g', 'm', '?', '/']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.tagName)).to.equal('BODY');
    await heading(page, 'Home');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  for (const [what, options] of [
    ['a window of 320 px', { viewport: { width: 320, height: 700 } }],
    // 1 280 px at 200 %.
    ['text twice as large', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ] as const) {
    it(`needs no scrolling to the side in ${what}`, async () => {
      const owner = await at.platform.agent({ usd: 5 });
      const { page, context } = await freshPage(at.browser, options);
      for (const path of ['/', '/docs', '/console/login']) {
        await page.goto(at.platform.url + path);
        expect(await excessWidth(page), path).to.equal(0);
      }
      await signIn(page, at, owner);
      for (const path of ['', '/todo', '/money', '/add', '/withdraw', '/agents', '/keys']) {
        await page.goto(`${at.platform.url}/console${path}`);
        expect(await excessWidth(page), path).to.equal(0);
      }
      await context.close();
    });
  }

  it('is still, keeps its lines and prints a statement, for those who want that', async () => {
    const owner = await at.platform.agent({ usd: 5 });
    const { page, context, faults } = await freshPage(at.browser, {
      reducedMotion: 'reduce',
      forcedColors: 'active',
    });
    await signInByKeys(page, owner.username);
    const moves = await page.evaluate(() =>
      [...document.querySelectorAll('*')].some((node) => {
        const { animationName, transitionDuration } = getComputedStyle(node);
        return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0;
      }),
    );
    expect(moves).to.equal(false);
    // Colours are those of the system: what is told by a shape keeps its own.
    const bar = page.locator('svg.bar .cash').first();
    const fill = await bar.evaluate((node) => getComputedStyle(node).fill);
    expect(fill).to.not.equal('rgb(0, 0, 0)');
    await page.goto(`${at.platform.url}/console/money`);
    await page.emulateMedia({ media: 'print', forcedColors: 'none' });
    expect(await page.getByText('Welcome credit').isVisible()).to.equal(true);
    expect(await page.locator('.side').isVisible()).to.equal(false);
    expect(await page.locator('.top').isVisible()).to.equal(false);
    expect((await page.pdf({ format: 'A4' })).length).to.be.greaterThan(5_000);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('stands in no frame of another page', async () => {
    const { page, context } = await freshPage(at.browser);
    const elsewhere = at.platform.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${elsewhere}/api/v1/stats`);
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    );
    await page.setContent(`<iframe src="${at.platform.url}/console/login"></iframe>`);
    await refused;
    await context.close();
  });
});
