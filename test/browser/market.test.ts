// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { coloursAt, problemsOfLooks } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { shiftOf } from './shift.ts';
import { give, heading, inBrowser } from './in_browser.ts';
import { openMarket, type Market } from './scene.ts';

/** Bytes of a page as it is sent, before compression. */
const BYTES_MAX = 60_000;
const REQUESTS_MAX = 10;
/** Layout shift of a page (CLS), whose goal for all pages is 0.05. */
const SHIFT_MAX = 0.01;
const HOSTILE = '<script>document.title="taken"</script>"><img src=x onerror=alert(1)>';

describe('the market in a browser', function () {
  this.timeout(300_000);
  const opened = inBrowser();
  let market: Market;
  let paths: Readonly<Record<string, string>>;
  before(async () => {
    const { platform } = opened;
    market = await openMarket(platform);
    const { key, id: sellerId } = market.skydata;
    const post = async (path: string, body: object, as = key) => {
      const reply = await platform.request(`POST /api/v1/${path}`, { key: as, body });
      if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
      return reply.body;
    };
    const title = HOSTILE.padEnd(120, 'W');
    const text = { stock_kind: 'unlimited', content: 'x', description: 'W'.repeat(4_000) };
    const { id } = await platform.product(market.skydata, { ...text, title, price: 0.08 });
    const { task_id: laborId } = await post(
      'labor',
      {
        kind: 'labeling',
        title,
        instructions: 'Say what the sign means.',
        reward: 0.01,
        units: [{ payload: 'one' }],
        verification: 'manual',
      },
      market.ada.key,
    );
    const data = [{ city: 'Oslo', people: 717_710 }];
    await post('datasets', {
      title: 'Cities of Norway',
      description: 'By people.',
      type: 'json',
      data,
    });
    for (let n = 0; n < 24; n += 1) {
      await platform.product(market.mira, { ...text, title: `Price list ${n} ${'W'.repeat(90)}` });
    }
    paths = {
      market: '/market',
      category: '/market?category=dataset&sort=price_desc',
      search: '/market?query=weather+xylophone',
      nothing: '/market?query=xylophone&max_price=1',
      product: `/market/products/${id}`,
      seller: `/market/sellers/${sellerId}`,
      tasks: '/market/tasks',
      task: `/market/tasks/${market.taskId}`,
      labor: '/market/labor',
      'labor task': `/market/labor/${laborId}`,
      datasets: '/market/datasets',
    };
  });

  const go = (page: Page, path: string) => page.goto(opened.platform.url + path);

  it('leads from looking to buying, which the console then shows', async () => {
    const { page, context, faults } = await freshPage(opened.browser);
    await go(page, '/');
    await page.getByRole('link', { name: 'Market', exact: true }).click();
    await heading(page, 'Market');
    await page.getByLabel('Search').fill('timetable');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Timetable feed, Berlin' }).click();
    await heading(page, 'Timetable feed, Berlin');
    await page.getByRole('link', { name: 'Buy for $2.75' }).click();
    await give(page, 'ada');
    await heading(page, 'Buy Timetable feed, Berlin');
    await page.getByRole('button', { name: 'Buy for $2.75' }).click();
    await heading(page, /^Order #\d+: Timetable feed, Berlin$/);
    const order = page.url();
    // Whoever goes back and sends the same form again has bought once.
    await page.goBack();
    await page.getByRole('button', { name: 'Buy for $2.75' }).click();
    await heading(page, /^Order #\d+: Timetable feed, Berlin$/);
    expect(page.url().split('?')[0]).to.equal(order.split('?')[0]);
    await page.getByRole('link', { name: /^#\d+$/ }).click();
    await heading(page, 'Timetable feed, Berlin');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('copies the call for an agent', async () => {
    const { page, context, faults } = await freshPage(opened.browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await go(page, paths.product!);
    await page.getByRole('button', { name: 'Copy: MCP tool' }).click();
    await page.getByText('Copied.').waitFor({ state: 'attached' });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).to.have.nested.property('arguments.max_total_due', 0.088);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('is searched and turned page by page without scripts', async () => {
    const { page, context } = await freshPage(opened.browser, { javaScriptEnabled: false });
    await go(page, '/market');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'First page' }).click();
    await page.getByRole('navigation', { name: 'Categories' }).getByText('Datasets').click();
    await page.getByRole('link', { name: 'Cheapest' }).click();
    await page.getByLabel('Maximum price').fill('2');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Postcodes of Europe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Postcodes of Europe' }).waitFor();
    await context.close();
  });

  it('is small, asks nobody else, and moves nothing when its script runs', async () => {
    for (const width of [1440, 390]) {
      const { page, context, faults } = await freshPage(opened.browser, {
        viewport: { width, height: 900 },
      });
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      for (const [name, path] of Object.entries(paths)) {
        asked.length = 0;
        const answer = await go(page, path);
        await page.evaluate(() => document.fonts.ready);
        expect((await answer!.body()).length, name).to.be.below(BYTES_MAX);
        expect(asked.length, name).to.be.at.most(REQUESTS_MAX);
        expect(asked.filter((url) => !url.startsWith(opened.platform.url))).to.deep.equal([]);
        expect(await shiftOf(page), name).to.be.at.most(SHIFT_MAX);
      }
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  for (const width of [1440, 390, 320]) {
    it(`can be read and used by everybody, light and dark, at ${width} px`, async () => {
      const { page, context, faults } = await freshPage(opened.browser);
      const problems: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        await go(page, path);
        expect(await page.title(), name).to.match(/ · Agent Marketplace$/);
        expect(await page.locator('main script, main img').count(), name).to.equal(0);
        problems.push(...(await problemsOfLooks(page, name, coloursAt(width))));
      }
      expect(problems.join('\n')).to.equal('');
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }
});
