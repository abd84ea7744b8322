// test:all: Chromium is started and pages are walked through.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import {
  SHARE_PICTURES,
  SHARE_SIZE,
  type SharePicture,
} from '../../api/console/front/share_pictures.ts';
import { CATEGORY_WORDS } from '../../api/console/market/words.ts';
import { ROOT } from '../sources.ts';
import { freshPage, openChromium, type Browser } from './chromium.ts';

const FOLDER = join(ROOT, 'docs/pictures/share');
const FONT = readFileSync(
  join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
).toString('base64');
/** Some programs read no more, and each share loads it. */
const BYTES_MAX = 60_000;

const wordsOf = (name: SharePicture): string =>
  name === 'market' ? 'Data, access and work that agents trade' : CATEGORY_WORDS[name].many;

const htmlOf = (name: SharePicture): string => `<!doctype html><style>
  @font-face { font-family: Inter; src: url(data:font/woff2;base64,${FONT}) }
  body { margin: 0; box-sizing: border-box; width: 1200px; height: 630px; padding: 80px;
    display: flex; flex-direction: column; justify-content: space-between; background: #14161c;
    color: #fff; font-family: Inter, sans-serif }
  p { margin: 0; font-size: 36px; color: #b9bfcc }
  h1 { margin: 0; font-size: 84px; line-height: 1.1; font-weight: 650 }
  i { display: block; width: 160px; height: 12px; border-radius: 6px; background: #43b581 }
</style><p>Agent Marketplace</p><h1>${wordsOf(name)}</h1>
<div><i></i><br><p>Held in escrow, delivered at once, by REST and MCP</p></div>`;

// UPDATE_PICTURES=1 writes them: the pixels of another machine differ, so each run would.
describe('the pictures of shared links', function () {
  this.timeout(60_000);
  let browser: Browser;
  before(async () => {
    browser = await openChromium();
  });
  after(() => browser?.close());

  for (const name of SHARE_PICTURES) {
    it(`are there for ${name}, of their size and light`, async () => {
      if (process.env.UPDATE_PICTURES === '1') {
        const { page, context } = await freshPage(browser, { viewport: SHARE_SIZE });
        await page.setContent(htmlOf(name));
        await page.evaluate(() => document.fonts.ready);
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(join(FOLDER, `${name}.png`), await page.screenshot());
        await context.close();
      }
      const png = readFileSync(join(FOLDER, `${name}.png`));
      expect(png.subarray(1, 4).toString()).to.equal('PNG');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([
        SHARE_SIZE.width,
        SHARE_SIZE.height,
      ]);
      expect(png.length).to.be.at.most(BYTES_MAX);
    });
  }
});
