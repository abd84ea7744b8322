// test:all: Chromium is started and pages are walked through.
import { gzipSync } from 'node:zlib';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';

import { PASSWORD } from '../console/browser_like.ts';
import { busyOwner } from '../console/busy_owner.ts';
import { TestPlatform } from '../harness.ts';
import { excessWidth, problemsOf } from './axe.ts';
import { SHIFT_MAX, shiftOf } from './shift.ts';
import { freshPage, openChromium, type Browser } from './chromium.ts';

const PAGES = ['/', '/docs', '/docs/guide/errors', '/docs/rails/card', '/console/login'];
const HOSTILE =
  '<script>document.title="taken"</script>\u202Egnp.exe "><img src=x onerror=alert(1)>';
/** Maximum size of a page with its style and its script, compressed; fonts apart. */
const BYTES_MAX = 30_000;

describe('the front page in a browser', function () {
  this.timeout(300_000);
  let platform: TestPlatform;
  let browser: Browser;
  let productId: number;
  before(async () => {
    platform = await TestPlatform.open({ schedules: true });
    const seller = await platform.agent();
    const weather = {
      title: 'Weather API',
      price: 0.08,
      stock_kind: 'unlimited',
      content: 'wx-1000',
    };
    await platform.product(seller, { ...weather, title: HOSTILE });
    productId = (await platform.product(seller, weather)).id;
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  it('leads from nothing to an agent that buys, which its owner sees at once', async () => {
    const { page, context, faults } = await freshPage(browser);
    await page.goto(platform.url);
    await page.getByLabel('Name').fill('newcomer');
    await page.getByLabel('Email').fill('newcomer@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    // The answer to the first click, which holds the key, is not lost by the second one.
    await page.getByRole('button', { name: 'Register' }).dblclick();
    const key = await page.getByLabel('Your API key').inputValue();
    const shown = await page.locator('details[open] code').first().innerText();
    const [, url, header] = /http market (\S+) --header "Authorization: (.*)"/.exec(shown)!;
    expect(header).to.equal(`Bearer ${key}`);

    await page.getByRole('link', { name: 'your console', exact: true }).click();
    await page.locator('.live:not([hidden])').waitFor();

    const client = new Client({ name: 'newcomer', version: '1.0.0' });
    const requestInit = { headers: { Authorization: header! } };
    // The tests' marketplace does not know its own port.
    const here = new URL(new URL(url!).pathname, platform.url);
    await client.connect(new StreamableHTTPClientTransport(here, { requestInit }));
    const bought = await client.callTool({
      name: 'purchase_product',
      arguments: { product_id: productId },
    });
    expect(bought.structuredContent).to.include({ status: 'escrow', total_due: 0.088 });
    await client.close();

    await page.getByText('$0.412').first().waitFor();
    await page.getByText('Paid into escrow').first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('shows what another party wrote as text, wherever it stands', async () => {
    const { page, context, faults } = await freshPage(browser);
    await page.goto(platform.url);
    const title = page.locator('bdi', { hasText: 'document.title' });
    // Characters that turn the direction of text were left out when it was taken.
    expect(await title.innerText()).to.equal(HOSTILE.replace('\u202E', ''));
    expect(await page.title()).to.equal('Agent Marketplace');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      it(`can be read and used by everybody, ${colorScheme}, at ${width} px`, async () => {
        const viewport = { width, height: 900 };
        const { page, context } = await freshPage(browser, { colorScheme, viewport });
        const problems: string[] = [];
        for (const path of PAGES) {
          await page.goto(platform.url + path);
          problems.push(...(await problemsOf(page)).map((problem) => `${path} ${problem}`));
          const wide = await excessWidth(page);
          if (wide > 0) problems.push(`${path} is ${wide} px too wide`);
        }
        expect(problems.join('\n')).to.equal('');
        await context.close();
      });
    }
  }

  it('moves nothing when its fonts and its script have come', async () => {
    for (const width of [1440, 390, 320]) {
      const viewport = { width, height: 900 };
      const { page, context } = await freshPage(browser, { viewport });
      for (const path of PAGES) {
        await page.goto(platform.url + path);
        await page.evaluate(() => document.fonts.ready);
        expect(await shiftOf(page), `${path} at ${width} px`).to.be.at.most(SHIFT_MAX);
      }
      await context.close();
    }
  });

  it('asks nobody else for anything, and is small; so is every page of the console', async () => {
    const busy = await busyOwner(platform);
    const { page, context } = await freshPage(browser);
    const bytes: Record<string, number> = {};
    const others: string[] = [];
    const read: Promise<void>[] = [];
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== platform.url) others.push(request.url());
    });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const type = response.request().resourceType();
      if (!['document', 'script', 'stylesheet'].includes(type) || response.status() !== 200) return;
      read.push(response.body().then((body) => void (bytes[pathname] = gzipSync(body).length)));
    });
    await page.goto(`${platform.url}/console`, { waitUntil: 'load' });
    // A body cannot be read any more when its page has been left.
    await Promise.all(read);
    await page.getByLabel('Name').fill(busy.agent.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.waitForLoadState('load');
    await Promise.all(read);
    const paths = ['/', '/docs/first_purchase', '/console', '/console/money', '/console/agents'];
    for (const path of paths) {
      await page.goto(platform.url + path, { waitUntil: 'load' });
      await Promise.all(read);
    }
    expect(others).to.deep.equal([]);
    const shared = Object.entries(bytes).filter(([path]) => path.startsWith('/assets/'));
    const sum = shared.reduce((total, [, size]) => total + size, 0);
    // The third is that of passkeys, which the page of signing in loads.
    expect(shared).to.have.length(3);
    for (const path of paths) {
      expect(bytes[path]! + sum, path).to.be.within(1, BYTES_MAX);
    }
    await context.close();
  });
});
