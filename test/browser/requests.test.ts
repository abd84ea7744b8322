// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { coloursAt, problemsOfLooks } from './axe.ts';
import { freshPage, openChromium, type Browser } from './chromium.ts';
import { signInAs } from './sign_in.ts';

describe('the requests of an owner in a browser', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let browser: Browser;
  let agent: Awaited<ReturnType<typeof owner>>['agent'];

  before(async () => {
    platform = await TestPlatform.open();
    ({ agent } = await owner(platform, { usd: 1 }));
    const { key } = agent;
    await platform.request('GET /api/v1/wallet', { key });
    await platform.request('POST /api/v1/products', { key, body: { ['w'.repeat(60)]: 1 } });
    await platform.context.requestLog.write();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  for (const width of [1440, 390, 320]) {
    it(`can be read by everybody at ${width} px, with the answer of an error open`, async () => {
      const { page, context, faults } = await freshPage(browser, {
        viewport: { width, height: 900 },
      });
      await signInAs(page, platform, agent);
      await page.goto(`${platform.url}/console/requests`);
      await page.getByText('validation_error', { exact: true }).click();
      await page.getByText('"retryable": false').waitFor();
      const problems = await problemsOfLooks(page, 'requests', coloursAt(width, 4_000));
      await page.goto(`${platform.url}/console/requests/costs?by=agent`);
      problems.push(...(await problemsOfLooks(page, 'costs', coloursAt(width))));
      expect(problems.join('\n')).to.equal('');
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }

  it('are found by their filters', async () => {
    const { page, context } = await freshPage(browser);
    await signInAs(page, platform, agent);
    await page.goto(`${platform.url}/console/requests`);
    await page.getByLabel('Status').selectOption('errors');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/status=error/);
    expect(await page.locator('main tbody tr').count()).to.equal(1);
    await page.getByRole('link', { name: 'Costs by operation and agent' }).click();
    await page.getByRole('heading', { name: 'Costs of requests', level: 1 }).waitFor();
    await context.close();
  });
});
