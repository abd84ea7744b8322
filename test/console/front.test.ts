import { expect } from 'chai';

import { Permit } from '../../shared/platform/limiter.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { BrowserLike } from './browser_like.ts';
import { patience } from '../platform/pace.ts';

const BASE = 'https://market.example.com';
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GET /', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { PUBLIC_URL: BASE } });
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 5 });
    const { id: product_id } = await platform.product(seller, {
      price: 1,
      items: ['A-1', 'A-2', 'A-3'],
    });
    const text = { stock_kind: 'unlimited', content: 'open' };
    await platform.product(seller, text);
    await platform.product(seller, { ...text, category: 'dataset' });
    await platform.product(seller, { ...text, category: 'dataset', active: false });
    const buy = () =>
      platform.request('POST /api/v1/orders', { key: buyer.key, body: { product_id } });
    await buy();
    await asOwner(platform, `update orders set created_at = created_at - interval '25 hours'`);
    await buy();
  });
  after(() => platform.close());

  it('says to who comes back from paying whether it is paid, and to nobody else', async () => {
    const page = async (query: string) =>
      (await platform.request(`GET /${query}`, { headers: BROWSER })).text;
    expect(await page('?payment=paid')).to.contain('role="status"><p>Paid. The money is in');
    expect(await page('?payment=cancelled')).to.contain('role="status"><p>Nothing was paid.');
    for (const query of ['', '?payment=<script>']) {
      expect(await page(query))
        .not.to.contain('class="message')
        .and.not.to.contain('<script>');
    }
  });

  it('is JSON for programs: what this is, live numbers, and where all else is', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { status, body, headers: sent } = await platform.request('GET /', { headers });
      expect(status).to.equal(200);
      expect(sent.get('content-type')).to.contain('application/json');
      expect(sent.get('vary')).to.contain('Accept');
      expect(body).to.include({ name: 'Agent Marketplace', mcp_url: `${BASE}/api/v1/mcp` });
      expect(body.market).to.deep.include({
        agents: 2,
        on_sale: 3,
        categories: [
          { category: 'serial_key', on_sale: 2 },
          { category: 'dataset', on_sale: 1 },
        ],
        orders_24h: 1,
      });
      expect(body.market.delivery_ms).to.be.within(0, patience(20_000));
    }
  });

  it('is a page for browsers, with the same numbers, what is new, and no script of its own', async () => {
    const { status, text, headers } = await platform.request('GET /', { headers: BROWSER });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect(text).to.match(/<dt>agents<\/dt><dd class="num">2<\/dd>/);
    expect(text).to.match(/<dt>products on sale<\/dt><dd class="num">3<\/dd>/);
    expect(text.match(/A serial key/g)).to.have.length(3);
    expect(text).to.contain(`claude mcp add --transport http market ${BASE}/api/v1/mcp`);
    expect(text.match(/<script/g)).to.have.length(1);
    expect(text).not.to.match(/\bstyle=|\bon\w+=/);
  });

  it('registers an agent, whose key is shown once, in the lines of each client', async () => {
    const browser = new BrowserLike(platform);
    const page = await browser.get('/');
    const wrong = await browser.submit(page, '/do/register_agent', {
      username: 'front-ada',
      email: 'front-ada@example.com',
      password: 'short',
    });
    expect(wrong.status).to.equal(422);
    expect(wrong.text).to.contain('role="alert"').and.contain('value="front-ada"');
    expect(wrong.text).not.to.contain('short"');

    const made = await browser.submit(wrong, '/do/register_agent', {
      username: 'front-ada',
      email: 'front-ada@example.com',
      password: 'correct horse battery',
    });
    expect(made.status).to.equal(200);
    const [, key] = /aria-label="Your API key"[^>]* value="(vnx_[\w-]+)"/.exec(made.text)!;
    expect(made.text).to.contain(`--header &quot;Authorization: Bearer ${key}&quot;`);
    expect(made.headers.get('cache-control')).to.equal('no-store');
    const { body } = await platform.request('GET /api/v1/agent/me', { key: key! });
    expect(body.username).to.equal('front-ada');
    expect((await browser.get('/')).text).not.to.contain(key);
  });

  it('registers nobody for a page of another site', async () => {
    const browser = new BrowserLike(platform);
    const agents = async () => (await platform.query('select count(*)::int as n from agent'))[0].n;
    const before = await agents();
    const fields = { username: 'eve', email: 'eve@example.com', password: 'correct horse battery' };
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/do/register_agent', fields, headers)).status).to.equal(403);
    expect(await agents()).to.equal(before);
  });

  it('links to what is there', async () => {
    const { text } = await platform.request('GET /', { headers: BROWSER });
    const { body } = await platform.request('GET /');
    const inPage = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!);
    const inJson = Object.values<string>(body.links).map((url) => url.replace(BASE, ''));
    expect(inPage).to.include.members(['/api-docs', '/console']);
    expect(inJson).to.include.members(['/api-docs', '/openapi.json', '/.well-known/mcp.json']);
    const pages = inPage.filter((path) => path.startsWith('/') && path !== '/console');
    for (const path of [...pages, ...inJson]) {
      expect((await platform.request(`GET ${path}`)).status, path).to.equal(200);
    }
  });

  it('is there without numbers while they cannot be read', async () => {
    const { calls } = platform.context.limiters;
    const permits = Array.from({ length: 5_000 }, () => new Permit(calls));
    permits.forEach((permit, n) => permit.acquire(n)); // Each has another holder.
    try {
      const { status, body } = await platform.request('GET /');
      expect([status, body.market]).to.deep.equal([200, null]);
      const { text } = await platform.request('GET /', { headers: BROWSER });
      expect(text).to.contain('cannot be read at the moment').and.contain('</html>');
    } finally {
      for (const permit of permits) permit.release();
    }
  });
});

describe('GET /api/v1/stats', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('counts an empty market, without a key, and not again for each caller', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => platform.request('GET /api/v1/stats')),
    );
    expect(answers[0]!.body).to.deep.include({ agents: 0, on_sale: 0, orders_24h: 0 });
    expect(answers[0]!.body).to.deep.include({ categories: [], delivery_ms: null });
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
  });
});
