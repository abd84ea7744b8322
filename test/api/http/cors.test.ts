import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { browserAt } from './browser.ts';

const PAGE = 'https://app.example';

describe('pages of other origins', () => {
  let platform: TestPlatform;
  let agent: { key: string };
  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent();
  });
  after(() => platform.close());

  const json = (key?: string) => ({
    'Content-Type': 'application/json',
    ...(key && { Authorization: `Bearer ${key}` }),
  });

  it('read what is public, and call with a key', async () => {
    const browse = browserAt(PAGE);
    const info = await browse(`${platform.url}/api/v1/proxy/info`);
    expect([info.status, info.preflights]).to.deep.equal([200, 0]);
    expect((await browse(`${platform.url}/openapi.json`)).status).to.equal(200);

    const { id: product_id } = await platform.product(await platform.agent(), { price: 0.1 });
    const bought = await browse(`${platform.url}/api/v1/orders`, {
      method: 'POST',
      headers: { ...json(agent.key), 'Idempotency-Key': 'from-a-page', Prefer: 'wait=20' },
      body: JSON.stringify({ product_id }),
    });
    expect([bought.status, bought.preflights]).to.deep.equal([200, 1]);
    const vault = await browse(platform.url + JSON.parse(bought.text).item_endpoint, {
      headers: json(agent.key),
    });
    expect(vault.status).to.equal(200);
  });

  it('read refusals too: what is missing, too much, unknown or not for this method', async () => {
    const browse = browserAt(PAGE);
    const cases: [number, string, { method?: string; headers?: Record<string, string> }][] = [
      [401, '/api/v1/wallet', { headers: { Prefer: 'wait=1' } }],
      [404, '/api/v1/nothing', { headers: json() }],
      [405, '/api/v1/wallet', { method: 'DELETE' }],
      [422, '/api/v1/products/search', { headers: json(agent.key) }],
    ];
    for (const [status, path, init] of cases) {
      const answer = await browse(platform.url + path, init);
      expect([answer.status, JSON.parse(answer.text).success], path).to.deep.equal([status, false]);
    }
  });

  it('read the headers that say how to go on', async () => {
    const browse = browserAt(PAGE);
    const { id: product_id } = await platform.product(await platform.agent(), { price: 0.1 });
    const { headers } = await browse(`${platform.url}/api/v1/orders`, {
      method: 'POST',
      headers: { ...json(agent.key), Prefer: 'respond-async' },
      body: JSON.stringify({ product_id }),
    });
    expect(headers.get('location')).to.match(/^\/api\/v1\/jobs\//);
    expect(headers.get('x-request-id')).to.match(/^req_/);
    expect(headers.has('retry-after')).to.equal(true);
    // Whatever else is sent: the limits, for example.
    expect(headers.isExposed('RateLimit')).to.equal(true);
    expect(headers.isExposed('RateLimit-Policy')).to.equal(true);
  });

  it('never act for an operator whose browser holds the token, nor with cookies', async () => {
    const browse = browserAt(PAGE);
    for (const path of ['/api/v1/admin/products', '/admin/queues/']) {
      const error = await browse(platform.url + path, {
        headers: { Authorization: 'Bearer operator-token-of-the-tests' },
      }).catch((error: Error) => error.message);
      expect(error, path).to.equal('the preflight was not allowed');
    }
    const answer = await platform.request('GET /api/v1/proxy/info', { headers: { origin: PAGE } });
    expect(answer.headers.has('access-control-allow-credentials')).to.equal(false);
  });

  it('use MCP only where ALLOWED_HOSTS names their host, and are told so', async () => {
    const ping = {
      method: 'POST',
      headers: json(agent.key),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    };
    const refused = await browserAt(PAGE)(`${platform.url}/api/v1/mcp`, ping);
    expect(refused.status).to.equal(403);
    expect(JSON.parse(refused.text).message).to.contain('ALLOWED_HOSTS');
    const local = await browserAt('http://localhost:5173')(`${platform.url}/api/v1/mcp`, ping);
    expect(local.status).to.equal(200);
  });

  it('are none of ours: what sends no Origin is sent no headers for it', async () => {
    const { headers } = await platform.request('GET /api/v1/proxy/info');
    expect(headers.has('access-control-allow-origin')).to.equal(false);
  });

  describe('where CORS_ORIGINS lists them', () => {
    let narrow: TestPlatform;
    before(async () => {
      const env = { CORS_ORIGINS: 'https://app.example,https://other.example:8443' };
      narrow = await TestPlatform.open({ env, workers: false });
    });
    after(() => narrow.close());

    it('are served, and no others', async () => {
      for (const origin of [PAGE, 'https://other.example:8443']) {
        const { status } = await browserAt(origin)(`${narrow.url}/api/v1/proxy/info`);
        expect(status, origin).to.equal(200);
      }
      for (const origin of ['http://app.example', 'https://app.example.evil', 'null']) {
        const error = await browserAt(origin)(`${narrow.url}/api/v1/proxy/info`).catch(
          (error: Error) => error.message,
        );
        expect(error, origin).to.equal('the answer may not be read');
      }
    });
  });
});
