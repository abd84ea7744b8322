// test:all: Chromium is started and pages are walked through.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { prove } from '../mail/proven_owner.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { ROOT } from '../sources.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';
import { openMarket, type Market } from './scene.ts';
import { still } from './still.ts';

const FOLDER = join(ROOT, 'docs/pictures');
const BYTES_MAX = 300_000;
const isWriting = process.env.UPDATE_PICTURES === '1';

type Who = 'nobody' | 'owner' | 'operator';
type Picture = readonly [
  name: string,
  who: Who,
  path: (market: Market) => string,
  options?: {
    readonly isDark?: true;
    readonly isPhone?: true;
    /** The id of the heading of the one card that is shown. */
    readonly card?: string;
  },
];

const sellerPath = ({ datahaus }: Market) => `/market/sellers/${datahaus.id}`;

/** A picture of each page, for README.md and the documentation. */
const PICTURES: readonly Picture[] = [
  ['front', 'nobody', () => '/'],
  ['market', 'nobody', () => '/market'],
  ['market-dark', 'nobody', () => '/market', { isDark: true }],
  ['market-phone', 'nobody', () => '/market', { isPhone: true }],
  ['product', 'nobody', ({ registryId }) => `/market/products/${registryId}`],
  [
    'product-phone',
    'nobody',
    ({ registryId }) => `/market/products/${registryId}`,
    { isPhone: true },
  ],
  ['seller', 'nobody', sellerPath],
  ['seller-dark', 'nobody', sellerPath, { isDark: true }],
  ['seller-phone', 'nobody', sellerPath, { isPhone: true }],
  ['home', 'owner', () => '/console'],
  ['home-dark', 'owner', () => '/console', { isDark: true }],
  ['home-phone', 'owner', () => '/console', { isPhone: true }],
  ['money', 'owner', () => '/console/money'],
  ['approval', 'owner', () => '/console/todo'],
  ['agent', 'owner', ({ scout }) => `/console/agents/${scout.id}`],
  ['order', 'owner', ({ orderId }) => `/console/orders/${orderId}`],
  ['orders', 'owner', () => '/console/orders'],
  ['orders-dark', 'owner', () => '/console/orders?sort=amount_desc', { isDark: true }],
  ['orders-phone', 'owner', () => '/console/orders', { isPhone: true }],
  ['connect', 'owner', () => '/console/keys'],
  ['alert', 'owner', () => '/console/requests', { card: 'alert' }],
  ['alert-dark', 'owner', () => '/console/requests', { card: 'alert', isDark: true }],
  ['alert-phone', 'owner', () => '/console/requests', { card: 'alert', isPhone: true }],
  ['digest', 'owner', () => '/console/account', { card: 'mail' }],
  ['digest-dark', 'owner', () => '/console/account', { card: 'mail', isDark: true }],
  ['digest-phone', 'owner', () => '/console/account', { card: 'mail', isPhone: true }],
  ['admin', 'operator', () => '/admin'],
  ['board', 'operator', () => '/admin/money'],
  [
    'dispute',
    'operator',
    ({ disputedId }) => `/admin/decisions?kind=order_disputes&id=${disputedId}`,
  ],
];

// UPDATE_PICTURES=1 writes them: the pixels of another machine differ, so each run would.
describe('the pictures of the pages', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let browser: Browser;
  let market: Market;
  let madeAt: Date;
  before(async () => {
    platform = await TestPlatform.open({
      env: { PUBLIC_URL: 'http://localhost:3000' },
      schedules: true,
    });
    madeAt = new Date();
    market = await openMarket(platform);
    await prove(platform, market.ada.id);
    await gatherRecords(platform);
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  async function signIn(page: Page, who: Who): Promise<void> {
    if (who === 'nobody') return;
    const isOwner = who === 'owner';
    await page.goto(`${platform.url}/${isOwner ? 'console' : 'admin'}`);
    await page.getByLabel('Name').fill(isOwner ? 'ada' : 'operator');
    await page.getByLabel(isOwner ? 'Password' : 'Token').fill(isOwner ? PASSWORD : OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  for (const [name, who, path, { isDark, isPhone, card } = {}] of PICTURES) {
    it(`show ${name}`, async () => {
      const width = isPhone ? 390 : 1440;
      const { page, context, faults } = await freshPage(browser, {
        viewport: { width, height: isPhone ? 844 : 760 },
        colorScheme: isDark ? 'dark' : 'light',
        timezoneId: 'UTC',
        locale: 'en-GB',
      });
      await signIn(page, who);
      await page.goto(platform.url + path(market));
      await page.evaluate(() => document.fonts.ready);
      await still(page, madeAt);
      // The navigation and the bar of tabs end where the window does.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: isPhone ? 844 : height });
      const shown = card === undefined ? page : page.locator(`section[aria-labelledby="${card}"]`);
      const image = await shown.screenshot();
      expect(faults).to.deep.equal([]);
      expect(image.length).to.be.within(10_000, BYTES_MAX);
      const file = join(FOLDER, `${name}.png`);
      if (isWriting) {
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(file, image);
      }
      expect(existsSync(file), `UPDATE_PICTURES=1 writes ${file}`).to.equal(true);
      expect(statSync(file).size).to.be.at.most(BYTES_MAX);
      await context.close();
    });
  }
});
