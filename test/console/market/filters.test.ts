import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { BrowserLike, type PageReply } from '../browser_like.ts';

describe('the filters of the market', () => {
  let platform: TestPlatform;
  let browser: BrowserLike;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    browser = new BrowserLike(platform);
    const text = { stock_kind: 'unlimited', content: 'open' };
    await platform.product(await platform.agent(), { ...text, title: 'Weather data' });
  });
  after(() => platform.close());

  const titlesIn = ({ text }: PageReply) =>
    [...text.matchAll(/<h3><a href="\/market\/products\/\d+"><bdi [^>]*>(.*?)<\/bdi>/g)].map(
      ([, title]) => title!,
    );

  it('say of a value that they do not understand that it is left out', async () => {
    const odd = await browser.get('/market?category=x&max_price=1,5&sort=best&page=2');
    expect(odd.status).to.equal(200);
    const all = await browser.get('/market');
    for (const page of [odd, all]) expect(titlesIn(page)).to.deep.equal(['Weather data']);
    expect(all.text).not.to.contain('left out').and.not.contain('aria-invalid');
    for (const said of [
      'There is no category <q><bdi class="words">x</bdi></q>, so it is left out.',
      'There is no order <q><bdi class="words">best</bdi></q>, so it is left out.',
      '<q><bdi class="words">1,5</bdi></q> is no price in dollars, such as 2.50.',
      'aria-invalid="true" aria-describedby="max-price-note"',
    ]) {
      expect(odd.text).to.contain(said);
    }
    for (const price of ['abc', '-1', 'NaN', '%3Cb%3E1', '9'.repeat(400)]) {
      const { text } = await browser.get(`/market?max_price=${price}`);
      expect(text.includes('is no price in dollars'), price).to.equal(true);
      expect(text).not.to.contain('<b>1');
    }
    for (const path of ['/market/labor?kind=x', '/market/datasets?type=x']) {
      expect((await browser.get(path)).text, path).to.contain('so it is left out');
    }
  });
});
