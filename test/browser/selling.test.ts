// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { PRODUCT_KINDS } from '../../api/console/owner/selling/product_kinds.ts';
import { buy } from '../orders/trade.ts';
import { coloursAt, problemsOfLooks } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { heading, inBrowser, signIn } from './in_browser.ts';

const BYTES_MAX = 200_000;
const REQUESTS_MAX = 10;

/** A person's own words for each field that a kind of product may have. */
const FILLED: Readonly<Record<string, string>> = {
  Title: 'Tide tables of Norway',
  Description: 'Tide tables of 40 harbours as JSON, for a year, updated daily. One key a buyer.',
  Price: '2.50',
  Content: 'https://tides.example.com/v1',
  Quantity: '20',
  'Rows, one a line': '{"harbour": "Oslo", "high": "02:10"}',
  'Days of access': '30',
};

describe('selling in a browser', function () {
  this.timeout(300_000);
  const at = inBrowser();
  const go = (page: Page, path: string) => page.goto(at.platform.url + path);
  const pathOf = (name: string) => `/console/selling/new?kind=${name}`;

  /** Fills in the fields that are there. No unit is listed twice. */
  async function fill(page: Page, units = 'TIDE-1'): Promise<void> {
    for (const [label, text] of Object.entries({ ...FILLED, 'Units, one a line': units })) {
      const field = page.getByLabel(label).first();
      if ((await field.count()) > 0) await field.fill(text);
    }
  }

  for (const javaScriptEnabled of [true, false]) {
    it(`lists each kind, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const agent = await at.platform.agent();
      const { page, context } = await freshPage(at.browser, { javaScriptEnabled });
      await signIn(page, at, agent);
      for (const { name, title } of PRODUCT_KINDS) {
        await go(page, '/console/selling');
        await page.getByRole('link', { name: title, exact: true }).click();
        await heading(page, 'List a product');
        await fill(page, `TIDE-${name}`);
        await page.getByRole('button', { name: 'List this product' }).click();
        await page.getByText(/^The (product was listed|dataset was added)\.$/).waitFor();
        if (name === 'dataset') continue;
        await page.getByText('It is on sale.').waitFor();
        expect(await page.getByText('It still lacks').count(), name).to.equal(0);
      }
      await context.close();
    });
  }

  it('keeps a form that is refused, and leads to the field by keyboard', async () => {
    const agent = await at.platform.agent();
    const { page, context } = await freshPage(at.browser);
    await signIn(page, at, agent);
    await go(page, pathOf('counted'));
    await fill(page);
    await page.getByLabel('Quantity').fill('a dozen');
    await page.getByLabel('Quantity').press('Enter');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Quantity').inputValue()).to.equal('a dozen');
    expect(await page.getByLabel('Title').inputValue()).to.equal(FILLED.Title);
    await page.getByText('Enter a whole number.').first().waitFor();
    expect(new URL(page.url()).hash).to.equal('#create_product-quantity');
    await context.close();
  });

  for (const width of [1440, 390, 320]) {
    it(`can be read and used by everybody at ${width} px, and is small`, async () => {
      const agent = await at.platform.agent();
      const { id } = await at.platform.product(agent, { title: 'W'.repeat(120), price: 0.2 });
      await buy(at.platform, await at.platform.agent(), { id });
      const { page, context, faults } = await freshPage(at.browser);
      await signIn(page, at, agent);
      const problems: string[] = [];
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      const paths = [
        ...PRODUCT_KINDS.map(({ name }) => pathOf(name)),
        '/console/selling',
        `/console/selling/${id}`,
        '/console/sales',
        '/console/sales?status=refunded',
      ];
      for (const path of paths) {
        asked.length = 0;
        const answer = await go(page, path);
        expect((await answer!.body()).length, path).to.be.below(BYTES_MAX);
        expect(asked.length, path).to.be.at.most(REQUESTS_MAX);
        problems.push(...(await problemsOfLooks(page, path, coloursAt(width))));
      }
      await go(page, pathOf('keys'));
      await fill(page);
      await page.getByLabel('Price').fill('free');
      await page.getByRole('button', { name: 'List this product' }).click();
      await page.getByRole('alert').waitFor();
      problems.push(...(await problemsOfLooks(page, 'a form that is refused', coloursAt(width))));
      expect(problems.join('\n')).to.equal('');
      expect(faults.filter((fault) => !/status of 422/.test(fault))).to.deep.equal([]);
      await context.close();
    });
  }
});
