import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

const BASE = 'https://market.example.com';

describe('/sitemap.xml', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { PUBLIC_URL: BASE } });
  });
  after(() => platform.close());

  it('and its pages lead to pictures that are there, for programs that show links', async () => {
    const { id } = await platform.product(await platform.agent(), { category: 'mcp_server' });
    for (const [path, name] of [
      ['/market', 'market'],
      ['/market?category=dataset', 'dataset'],
      [`/market/products/${id}`, 'mcp_server'],
    ]) {
      const accept = { headers: { accept: 'text/html' } };
      const { text } = await platform.request(`GET ${path}`, accept);
      const [, image] = /property="og:image" content="([^"]*)"/.exec(text)!;
      expect(image).to.equal(`${BASE}/pictures/${name}.png`);
      const picture = await fetch(image!.replace(BASE, platform.url));
      expect([picture.status, picture.headers.get('content-type')]).to.eql([200, 'image/png']);
      const bytes = await picture.arrayBuffer();
      expect(Buffer.from(bytes).subarray(1, 4).toString()).to.equal('PNG');
    }
    expect((await platform.request('GET /pictures/none.png')).status).to.equal(404);
  });

  it('names what is on sale and open, whose addresses answer, and is kept', async () => {
    const seller = await platform.agent();
    const on = await platform.product(seller);
    const off = await platform.product(seller, { active: false });
    const { status, text, headers } = await platform.request('GET /sitemap.xml');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('public, max-age=600');
    const paths = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url!);
    expect(paths).to.include.members([
      `${BASE}/market`,
      `${BASE}/market?category=dataset`,
      `${BASE}/market/products/${on.id}`,
      `${BASE}/market/sellers/${seller.id}`,
      `${BASE}/docs/owners`,
    ]);
    expect(paths).not.to.include(`${BASE}/market/products/${off.id}`);
    for (const url of paths) {
      const accept = { headers: { accept: 'text/html' } };
      const reply = await platform.request(`GET ${url.replace(BASE, '')}`, accept);
      expect(reply.status, url).to.equal(200);
    }
    const later = await platform.product(seller);
    expect((await platform.request('GET /sitemap.xml')).text).not.to.contain(
      `products/${later.id}<`,
    );
  });

  it('is named in /robots.txt, which keeps robots out of what is for persons and programs', async () => {
    const { status, text } = await platform.request('GET /robots.txt');
    expect(status).to.equal(200);
    expect(text).to.contain(`Sitemap: ${BASE}/sitemap.xml`);
    for (const path of ['/console', '/admin', '/api/', '/vault/']) {
      expect(text).to.contain(`Disallow: ${path}\n`);
    }
  });
});
