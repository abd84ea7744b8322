// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { OWNER_PAGES } from '../../api/console/owner/pages.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { busyOwner } from '../console/busy_owner.ts';
import { buy } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { excessWidth } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { heading, inBrowser, signIn, signInOperator } from './in_browser.ts';
import { SHIFT_MAX, shiftOf } from './shift.ts';

const AGENTS = 120;
const DESCRIPTION =
  'A key for the API of tide tables of 900 ports. Put it into the header X-Key. Works for a year.';

/** The way of each role, step by step. The times are printed, and judged by nobody. */
describe('a walk of four roles', function () {
  this.timeout(300_000);
  const at = inBrowser({ AUTO_APPROVE_PRODUCTS: 'false' });

  /** Steps of one role: where each ends, nothing has moved on the page and nothing stands out. */
  async function walk(
    role: string,
    steps: (page: Page, step: (name: string) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { page, context, faults } = await freshPage(at.browser);
    const times: string[] = [];
    let startedAt = performance.now();
    await steps(page, async (name) => {
      times.push(`${name} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
      expect(await excessWidth(page), name).to.equal(0);
      expect(await shiftOf(page), name).to.be.at.most(SHIFT_MAX);
      startedAt = performance.now();
    });
    console.log(`      ${role}: ${times.join(', ')}`);
    expect(faults).to.deep.equal([]);
    await context.close();
  }
  const go = (page: Page, path: string) => page.goto(at.platform.url + path);

  it('sells, approves, finds and buys, decides and pays', async () => {
    await walk('seller', async (page, step) => {
      await go(page, '/');
      await page.getByLabel('Name').fill('sven');
      await page.getByLabel('Email').fill('sven@example.com');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByLabel('Your API key').waitFor();
      await step('registers');
      await go(page, '/console/selling/new?kind=unlimited');
      await heading(page, 'List a product');
      await page.getByLabel('Title').fill('Tide tables API key');
      await page.getByLabel('Description').fill(DESCRIPTION);
      await page.getByLabel('Price').fill('2');
      await page.getByLabel('Content').fill('KEY-1');
      await page.getByRole('button', { name: 'List this product' }).click();
      await page.getByText('The product was listed.').waitFor();
      await step('lists a product');
    });

    await walk('operator', async (page, step) => {
      await signInOperator(page, at);
      await step('signs in');
      await go(page, '/admin/decisions?kind=products');
      await page.getByLabel('Decision', { exact: true }).selectOption('approve');
      await page.getByRole('button', { name: 'Decide' }).click();
      await page.getByText('Your decision was saved').waitFor();
      await step('approves it');
    });

    const [{ id: productId }] = await at.platform.query('select max(id)::int as id from product');
    await walk('newcomer', async (page, step) => {
      await go(page, '/market');
      await page.getByRole('searchbox').first().fill('tide');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Tide tables API key' }).first().click();
      await page.getByRole('heading', { name: 'Seller' }).waitFor();
      await page.getByText('None yet').waitFor();
      await step('finds it, and reads who sells it');
      await page.getByRole('link', { name: 'All products of this seller' }).click();
      await page.getByRole('heading', { name: 'Record' }).waitFor();
      await step('looks at its seller');
    });

    const owner = await at.platform.agent({ usd: 50 });
    const key = { key: owner.key };
    for (let n = 0; n < AGENTS; n += 1) {
      const body = { agent_name: `scout-${n}`, permissions: ['read', 'buy'] };
      const spawned = await at.platform.request('POST /api/v1/agent/spawn', { ...key, body });
      expect(spawned.status).to.equal(200);
      if (n > 0) continue;
      const { agent, api_key } = spawned.body;
      const scout = { id: agent.agent_id as number, key: api_key.key as string };
      for (let one = 0; one < 3; one += 1) await buy(at.platform, scout, { id: productId });
      await setPolicy(at.platform, scout, { approval_threshold: 1_000_000n });
      const order = { product_id: productId };
      const asked = await at.platform.request('POST /api/v1/orders', { ...scout, body: order });
      expect(asked.status).to.equal(202);
    }
    await walk(`owner of ${AGENTS} agents`, async (page, step) => {
      await signIn(page, at, owner);
      await step('signs in');
      await go(page, '/console/todo');
      await page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .click();
      await page.getByText('Your decision was saved.').waitFor();
      await step('approves a purchase');
      await go(page, '/console/agents');
      await page.getByText(`${AGENTS} agents`).waitFor();
      await page.getByLabel('Find agents').fill('scout-0');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('link', { name: 'scout-0', exact: true }).click();
      await heading(page, /scout-0/);
      await step('finds its first agent');
      await go(page, '/console/check');
      await page.getByRole('link', { name: 'Amount' }).click();
      await page.locator('th[aria-sort="descending"]').waitFor();
      await page
        .getByRole('checkbox', { name: /^Order/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Pay the sellers of the ticked orders' }).click();
      await page.getByRole('dialog').getByRole('button', { name: /^Pay/ }).click();
      await page.getByText('The sellers were paid.').waitFor();
      await step('sorts its orders, and pays for one');
    });
  });
});

describe('the pages of an owner', function () {
  this.timeout(300_000);
  const at = inBrowser();

  it('fit a window of 320 px, and do not move', async () => {
    const busy = await busyOwner(at.platform);
    const { page, context } = await freshPage(at.browser, {
      viewport: { width: 320, height: 700 },
    });
    await signIn(page, at, busy.agent);
    // Scripts come after the page was painted, as on a slow machine.
    await page.route(/\.js$/, async (route) => {
      await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
      await route.continue();
    });
    const wrong: string[] = [];
    for (const one of OWNER_PAGES) {
      await page.goto(at.platform.url + busy.pathOf(one));
      await page.evaluate(() => document.fonts.ready);
      const [wide, shift] = [await excessWidth(page), await shiftOf(page)];
      if (wide > 0) wrong.push(`${one.path} is ${wide} px too wide`);
      if (shift > SHIFT_MAX) wrong.push(`${one.path} moves by ${shift}`);
    }
    expect(wrong).to.deep.equal([]);
    await context.close();
  });
});
