// test:goals: it measures when pages of the console are painted.
import { PAGES } from '../../api/console/routes.ts';
import { busyOwner } from '../console/busy_owner.ts';
import { expectGoal } from '../faults/stalls.ts';
import { TestPlatform } from '../harness.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';
import { signInAs } from './sign_in.ts';

const pages = PAGES.filter(({ access }) => access === 'owner');

const FIRST_PAINT_MS = 200;

const paintOf = (page: Page) =>
  page.evaluate(async () => {
    while (performance.getEntriesByName('first-contentful-paint').length === 0) {
      await new Promise((done) => requestAnimationFrame(done));
    }
    return performance.getEntriesByName('first-contentful-paint')[0]!.startTime;
  });

describe('the console in a browser', function () {
  this.timeout(300_000);
  let platform: TestPlatform;
  let browser: Browser;
  let busy: Awaited<ReturnType<typeof busyOwner>>;
  before(async () => {
    platform = await TestPlatform.open({ schedules: true });
    busy = await busyOwner(platform);
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  for (const width of [1440, 390]) {
    it(`paints its pages soon, at ${width} px`, async () => {
      const { page, context } = await freshPage(browser, { viewport: { width, height: 900 } });
      await signInAs(page, platform, busy.agent);
      const paints: number[] = [];
      for (const one of pages) {
        await page.goto(platform.url + busy.pathOf(one));
        paints.push(await paintOf(page));
      }
      await context.close();
      const median = paints.toSorted((a, b) => a - b)[paints.length >> 1]!;
      expectGoal('the first paint of a page of the console', median, FIRST_PAINT_MS);
    });
  }
});
