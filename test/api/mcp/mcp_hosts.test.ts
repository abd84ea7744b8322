import { expect } from 'chai';
import { request } from 'node:http';

import { TestPlatform } from '../../harness.ts';

describe('MCP and browsers', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({
      env: { PUBLIC_URL: 'https://market.example', ALLOWED_HOSTS: 'inner.example' },
      workers: false,
    });
  });
  after(() => platform.close());

  it('is not served to pages of other hosts', async () => {
    const statusOf = (headers: Record<string, string>, path = '/api/v1/mcp') => {
      const { host = new URL(platform.url).host, ...others } = headers;
      // Not fetch, which chooses Host itself.
      return new Promise<number | undefined>((resolve) => {
        const options = { method: 'POST', headers: { host, ...others } };
        const sent = request(platform.url + path, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
      });
    };
    expect(await statusOf({})).to.equal(200);
    expect(await statusOf({ host: 'localhost:1', origin: 'http://localhost:9' })).to.equal(200);
    expect(await statusOf({ host: 'market.example' })).to.equal(200);
    expect(await statusOf({ host: 'inner.example:8080' })).to.equal(200);
    for (const path of ['', '/call', '/messages'].map((end) => `/api/v1/mcp${end}`)) {
      expect(await statusOf({ host: 'evil.example' }, path)).to.equal(403);
      expect(await statusOf({ origin: 'https://evil.example' }, path)).to.equal(403);
      expect(await statusOf({ origin: 'null' }, path)).to.equal(403);
    }
  });
});
