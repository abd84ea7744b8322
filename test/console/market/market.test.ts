import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { BrowserLike, type PageReply } from '../browser_like.ts';

const TEXT = { stock_kind: 'unlimited', content: 'open' };
const LISTED = 24;

describe('/market', () => {
  let platform: TestPlatform;
  let browser: BrowserLike;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open({ env: { PUBLIC_URL: 'https://market.example.com' } });
    browser = new BrowserLike(platform);
    seller = await platform.agent();
  });
  after(() => platform.close());

  const titlesIn = ({ text }: PageReply) =>
    [
      ...text.matchAll(/<h3><a href="\/market\/products\/\d+"><bdi class="words">(.*?)<\/bdi>/g),
    ].map(([, title]) => title!);
  const linkIn = ({ text }: PageReply, label: string): string => {
    const [, path] = new RegExp(`href="([^"]*)"[^>]*>${label}</a>`).exec(text) ?? [];
    if (path === undefined) throw new Error(`there is no link ${label}`);
    return path.replaceAll('&amp;', '&');
  };
  const change = (id: number, body: object) =>
    platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body });

  it('says that nothing is on sale, in an empty market', async () => {
    const { status, text } = await browser.get('/market');
    expect(status).to.equal(200);
    expect(text).to.contain('Nothing is on sale yet.');
  });

  it('shows title, price, seller, kind and units left of what is on sale, and of nothing else', async () => {
    await platform.product(seller, { title: 'Two keys', items: ['a', 'b'], price: 0.5 });
    await platform.product(seller, { ...TEXT, title: 'Weather data', category: 'dataset' });
    const gone = await platform.product(seller, { ...TEXT, title: 'Archived goods' });
    const off = await platform.product(seller, { ...TEXT, title: 'Paused goods' });
    const held = await platform.product(seller, { ...TEXT, title: 'Unreviewed goods' });
    await change(gone.id, { status: 'archived' });
    await change(off.id, { active: false });
    await platform.query(`update product set status = 'pending_review' where id = $1`, [held.id]);
    const page = await browser.get('/market');
    expect(titlesIn(page)).to.deep.equal(['Weather data', 'Two keys']);
    for (const part of ['$0.50', '2 left', 'Always in stock', 'Key or license', seller.username]) {
      expect(page.text).to.contain(part);
    }
    const found = await browser.get('/market?query=goods');
    expect(titlesIn(found)).to.deep.equal([]);
    for (const { id } of [gone, off, held]) {
      const { status, text } = await browser.get(`/market/products/${id}`);
      expect(status).to.equal(404);
      expect(text).not.to.contain('goods');
    }
  });

  it('narrows by category and price, and keeps them in its links and its form', async () => {
    await platform.product(seller, { ...TEXT, title: 'Dear data', category: 'dataset', price: 9 });
    const page = await browser.get('/market?category=dataset&max_price=2');
    expect(titlesIn(page)).to.deep.equal(['Weather data']);
    expect(page.text).to.contain('name="category" value="dataset"').and.contain('value="2"');
    const all = await browser.get(linkIn(page, 'Most expensive'));
    expect(all.status).to.equal(200);
    expect(titlesIn(await browser.get('/market?category=dataset'))[0]).to.equal('Dear data');
    expect(titlesIn(await browser.get('/market?category=dataset&sort=price_asc'))).to.deep.equal([
      'Weather data',
      'Dear data',
    ]);
    const dollars = await browser.get('/market?category=dataset&max_price=%242.00');
    expect(titlesIn(dollars)).to.deep.equal(['Weather data']);
  });

  it('searches by words, says what it corrected, and answers in the words of the searcher', async () => {
    const page = await browser.get('/market?query=wether+data&max_price=5');
    expect(titlesIn(page)).to.deep.equal(['Weather data']);
    expect(page.text).to.contain('Best matches for <q>').and.contain('wether data');
    expect(page.text).to.match(/these are for <strong><bdi class="words">weather data/);
    const none = await browser.get('/market?query=%3Cb%3Exylophone%3C%2Fb%3E&category=dataset');
    expect(none.status).to.equal(200);
    expect(none.text).to.contain('Nothing found for').and.contain('&lt;b>xylophone&lt;/b>');
    expect(none.text).to.contain('Search all categories and prices');
    for (const query of ['%00', '%EF%BF%BF', 'a'.repeat(400), '-', '"', '%20']) {
      expect((await browser.get(`/market?query=${query}`)).status, query).to.equal(200);
    }
  });

  it('leads to the next page and back to the one before, each product once', async () => {
    const made: string[] = [];
    for (let n = 0; n < 2 * LISTED + 3; n += 1) {
      const title = `Contract ${String(n).padStart(2, '0')}`;
      await platform.product(seller, { ...TEXT, title, category: 'smart_contract' });
      made.unshift(title);
    }
    for (const sort of ['', '&sort=price_desc']) {
      const first = await browser.get(`/market?category=smart_contract${sort}`);
      const second = await browser.get(linkIn(first, 'Next page'));
      const third = await browser.get(linkIn(second, 'Next page'));
      expect([first, second, third].flatMap(titlesIn)).to.deep.equal(made);
      expect(third.text).not.to.contain('Next page');
      const back = await browser.get(linkIn(third, 'Previous page'));
      expect(titlesIn(back)).to.deep.equal(titlesIn(second));
      expect(titlesIn(await browser.get(linkIn(back, 'First page')))).to.deep.equal(
        titlesIn(first),
      );
    }
    const wrong = await browser.get('/market?cursor=x');
    expect([wrong.status, wrong.headers.get('cache-control')]).to.deep.equal([422, 'no-store']);
  });

  it('shows a product with its price and fee, what is delivered, and the exact calls', async () => {
    const { id } = await platform.product(seller, { title: 'One key', price: 0.08, items: ['x'] });
    const { status, text } = await browser.get(`/market/products/${id}`);
    expect(status).to.equal(200);
    for (const part of ['$0.088', '$0.008', '1 left', 'Each is sold once', '72 hours']) {
      expect(text).to.contain(part);
    }
    expect(text).to.contain(`href="/console/buy/${id}"`);
    expect(text).to.contain(`href="/market/sellers/${seller.id}"`);
    const [, rest] = /data-copy="(curl[^"]*)"/.exec(text.replaceAll('&quot;', "''")) ?? [];
    expect(rest)
      .to.contain('https://market.example.com/api/v1/orders')
      .and.contain(`{''product_id'':${id},''max_total_due'':0.088}`);
    expect(text).to.contain('&quot;name&quot;: &quot;purchase_product&quot;');
    const { key } = await platform.agent({ usd: 1 });
    const body = { product_id: id };
    expect((await platform.request('POST /api/v1/orders', { key, body })).status).to.equal(200);
    const gone = await browser.get(`/market/products/${id}`);
    expect(gone.text).to.contain('Sold out').and.not.contain(`/console/buy/${id}`);
  });

  it('shows the products of a seller, and no page for an agent that sells nothing', async () => {
    const [other, idle] = [await platform.agent(), await platform.agent()];
    await platform.product(other, { ...TEXT, title: 'Only this' });
    const page = await browser.get(`/market/sellers/${other.id}`);
    expect(titlesIn(page)).to.deep.equal(['Only this']);
    expect(page.text).to.contain(other.username).and.contain('1 product');
    const many = await browser.get(`/market/sellers/${seller.id}`);
    expect(titlesIn(many)).to.have.length(LISTED);
    const next = await browser.get(linkIn(many, 'Next page'));
    expect(next.status).to.equal(200);
    const { status, text } = await browser.get(`/market/sellers/${idle.id}`);
    expect(status).to.equal(404);
    expect(text).not.to.contain(idle.username);
  });

  it('has a page for what is not there', async () => {
    for (const path of ['products/999999', 'products/x', 'products/0', 'products/1e3']) {
      const { status, text, headers } = await browser.get(`/market/${path}`);
      expect(status, path).to.equal(404);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(text).to.contain('There is no such page').and.contain('href="/market"');
    }
    expect((await browser.get('/market/sellers/9007199254740993')).status).to.equal(404);
  });

  it('shows what others wrote as text, in the head too, without what turns its direction', async () => {
    const title = `</title><script>alert(1)</script>"'`;
    const { id } = await platform.product(seller, { ...TEXT, title, description: title });
    // Lists it like one that was listed before such characters were refused.
    await platform.query(`update product set title = $2, description = $2 where id = $1`, [
      id,
      `\u202E${title}\u0007\u2066`,
    ]);
    for (const path of ['/market', `/market/products/${id}`, `/market/sellers/${seller.id}`]) {
      const { text } = await browser.get(path);
      expect(text.match(/<script/g), path).to.have.length(1);
      expect(text).to.contain('&lt;script>alert(1)&lt;/script>');
      for (const char of ['\u202E', '\u2066', '\u0007']) expect(text).not.to.contain(char);
      expect(text).not.to.match(/\bstyle=|\bon\w+="|undefined|NaN|\[object/);
    }
  });

  it('names what is not visible in a description, and keeps words, emoji and indents', async () => {
    const kept = '\tmi\u200cx\n  \u{1f468}\u200d\u{1f469}  end';
    const description = `${kept}\u202e\u{e0041}`;
    const { id } = await platform.product(seller, { ...TEXT, description });
    const { text } = await browser.get(`/market/products/${id}`);
    const named = ['U+202E', 'U+E0041'].map(
      (name) => `<span class="code-point" title="A character that is not visible">${name}</span>`,
    );
    expect(text).to.contain(`<bdi>${kept}${named.join('')}</bdi>`);
  });

  it('is the same for everybody, kept for a short time, and small', async () => {
    const [{ id }] = await platform.query('select max(id) as id from product where active');
    for (const path of ['/market', `/market/products/${id}`]) {
      const { text, headers } = await browser.get(path);
      expect(headers.get('cache-control')).to.equal('public, max-age=15');
      expect(headers.get('content-security-policy')).to.contain("default-src 'none'");
      expect(headers.getSetCookie()).to.deep.equal([]);
      expect(Buffer.byteLength(text), path).to.be.below(60_000);
      expect(text).not.to.contain('name="_key"');
      const other = new BrowserLike(platform);
      expect((await other.signIn(seller.username)).status).to.equal(303);
      expect((await other.get(path)).text).to.equal(text);
    }
  });

  it('tells search engines of the market, its categories, products and sellers, and of no search', async () => {
    const [{ id }] = await platform.query('select max(id) as id from product where active');
    const canonicalOf = async (path: string) => {
      const { text } = await browser.get(path);
      expect(text).to.contain('<meta name="description"').and.contain('property="og:title"');
      const [, url] = /rel="canonical" href="([^"]*)"/.exec(text) ?? [];
      expect(text.includes('content="noindex"'), path).to.equal(url === undefined);
      return url;
    };
    const base = 'https://market.example.com';
    expect(await canonicalOf('/')).to.equal(`${base}/`);
    expect(await canonicalOf('/market')).to.equal(`${base}/market`);
    const category = '/market?category=dataset';
    expect(await canonicalOf(category)).to.equal(base + category);
    expect(await canonicalOf(`/market/products/${id}?x=1`)).to.equal(
      `${base}/market/products/${id}`,
    );
    expect(await canonicalOf('/market?query=data')).to.equal(undefined);
    expect(await canonicalOf('/market?sort=price_asc')).to.equal(undefined);
  });

  it('is found from the front page', async () => {
    // Its numbers are counted every five seconds.
    const { text } = await eventually(
      () => browser.get('/'),
      (page) => /<a href="\/market\/products\/\d+">/.test(page.text),
    );
    expect(text).to.contain('<a href="/market">Market</a>');
  });
});
