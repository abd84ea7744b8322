import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';

import { appsTo } from '../../../api/docs/apps.ts';
import { entryOf } from '../../../api/docs/registry.ts';
import { TestPlatform } from '../../harness.ts';
import { SERVER_JSON } from './server_json_schema.ts';

const URL_OF = 'https://market.example.com';

describe('how clients find and connect to this', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { PUBLIC_URL: URL_OF } });
  });
  after(() => platform.close());

  const validate = formats.default(new Ajv({ allErrors: true })).compile(SERVER_JSON);

  it('has an entry for the MCP registry, which its schema takes', async () => {
    const { body, status } = await platform.request('GET /server.json');
    expect(status).to.equal(200);
    expect(validate(body), JSON.stringify(validate.errors)).to.equal(true);
    expect(body.name).to.equal('com.example.market/agent-marketplace');
    expect(body.remotes.map(({ url }: { url: string }) => url)).to.deep.equal([
      `${URL_OF}/mcp`,
      `${URL_OF}/api/v1/mcp`,
    ]);
    const [header] = body.remotes[1].headers;
    expect(header).to.include({ name: 'Authorization', isSecret: true, isRequired: true });
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      expect(validate(entryOf(url)), url).to.equal(true);
    }
    expect(validate({ ...body, description: 'x'.repeat(101) })).to.equal(false);
  });

  it('has a server card at its two addresses', async () => {
    for (const path of ['/mcp/server-card', '/.well-known/mcp/server-card.json']) {
      const { body, headers } = await platform.request(`GET ${path}`);
      expect(headers.get('content-type')).to.contain('application/mcp-server-card+json');
      expect(body.remotes[0]).to.include({ type: 'streamable-http', url: `${URL_OF}/mcp` });
      expect(body.remotes[0].supportedProtocolVersions).to.include('2025-11-25');
    }
  });

  it('shows each client its exact words, on a page and to language models', async () => {
    const headers = { accept: 'text/html' };
    const page = await platform.request('GET /connect', { headers });
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-security-policy')).to.contain(`default-src 'none'`);
    const llms = await platform.request('GET /llms.txt');
    for (const { app, text, href } of appsTo(URL_OF)) {
      expect(page.text, app).to.contain(escaped(text));
      expect(llms.text, app).to.contain(text.replaceAll(/\s*\n\s*/g, ' '));
      if (href) expect(page.text, app).to.contain(escaped(href));
    }
    expect(page.text).to.contain('/api/v1/mcp');
  });

  it('gives Cursor and VS Code links that hold the address of MCP', () => {
    const linkOf = (app: string) => new URL(appsTo(URL_OF).find((one) => one.app === app)!.href!);
    const cursor = linkOf('Cursor').searchParams.get('config')!;
    expect(JSON.parse(Buffer.from(cursor, 'base64').toString())).to.deep.equal({
      url: `${URL_OF}/mcp/lean`,
    });
    const code = linkOf('VS Code').searchParams.get('config')!;
    expect(JSON.parse(code)).to.deep.equal({ type: 'http', url: `${URL_OF}/mcp/lean` });
  });
});

/** Escapes text and attributes like the renderer of the page. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
