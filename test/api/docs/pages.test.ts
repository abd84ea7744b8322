import { runInNewContext } from 'node:vm';

import { expect } from 'chai';

import { restRoutes } from '../../../api/rest/rest.ts';
import { TestPlatform, type Reply } from '../../harness.ts';

const BASE = 'https://market.example.com';

/** The parts of a browser that the script of the page uses, for a reader who wants it dark. */
const inTheDark = (looks: Map<string, boolean>) => ({
  matchMedia: () => ({ matches: true, addEventListener: () => undefined }),
  document: {
    documentElement: { classList: { toggle: (name: string, on: boolean) => looks.set(name, on) } },
  },
  addEventListener: (_type: string, run: () => void) => run(),
});

describe('the pages about the marketplace', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { PUBLIC_URL: BASE } });
  });
  after(() => platform.close());

  describe('/api-docs', () => {
    it('loads nothing from other hosts', async () => {
      const { status, headers, text } = await platform.request('GET /api-docs');
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text)
        .to.contain('<title>Agent Marketplace')
        .and.not.match(/https?:\/\//);
      expect(text).not.to.match(/<script>|<script [^>]*>[^<]|\bon\w+=|<style/);
      const policy = headers.get('content-security-policy')!;
      expect(policy).to.contain("default-src 'none'").and.contain("script-src 'self';");
      expect(policy).not.to.match(/https?:/);
    });

    it('calls where it was opened, by whatever name, and is dark for who wants that', async () => {
      const { text } = await platform.request('GET /api-docs/page.js');
      const location = new URL('http://localhost:3000/api-docs');
      const looks = new Map<string, boolean>();
      const urlOf = runInNewContext(
        `let intercept; const SwaggerUIBundle = (options) => (intercept = options.requestInterceptor);
         ${text}; (url) => intercept({ url }).url`,
        { location, URL, ...inTheDark(looks) },
      ) as (url: string) => string;
      expect(urlOf(`${BASE}/api/v1/products/search?query=a%26b`)).to.equal(
        'http://localhost:3000/api/v1/products/search?query=a%26b',
      );
      expect(urlOf('/openapi.json')).to.equal('http://localhost:3000/openapi.json');
      expect([...looks]).to.deep.equal([['dark-mode', true]]);
    });

    it('has all its files', async () => {
      const { text } = await platform.request('GET /api-docs');
      const paths = [...text.matchAll(/(?:src|href)="(\/api-docs[^"]*)"/g)].map(
        ([, path]) => path!,
      );
      expect(paths).to.have.length(5);
      for (const path of paths) {
        const { status, headers, text: file } = await platform.request(`GET ${path}`);
        expect([status, file.length > 0], path).to.deep.equal([200, true]);
        const type = /\.(\w+)$/.exec(path)![1]!;
        const wanted = { js: 'text/javascript', css: 'text/css', png: 'image/png' }[type]!;
        expect(headers.get('content-type'), path).to.contain(wanted);
      }
      const { body } = await platform.request('GET /openapi.json');
      expect(body.servers).to.deep.equal([{ url: BASE }]);
    });

    it('serves no other file of its package', async () => {
      for (const name of ['package.json', '../koa/package.json', '%2e%2e/koa/package.json']) {
        expect((await platform.request(`GET /api-docs/${name}`)).status).to.equal(404);
      }
      const { status, text } = await platform.request('HEAD /api-docs/swagger-ui.css');
      expect([status, text]).to.deep.equal([200, '']);
    });
  });

  it('/llms.txt describes how to begin, and every call with its price', async () => {
    const { status, headers, text } = await platform.request('GET /llms.txt');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(text).to.match(/^# Agent Marketplace\n\n> /);
    expect(text).to.contain(`POST ${BASE}/api/v1/agent/register`).and.contain('$0.50');
    expect(text).to.contain('`POST /api/v1/orders` (tool `purchase_product`)').and.contain('10 %');
    expect(text).not.to.contain('/admin/').and.not.contain('127.0.0.1');
    for (const [, path] of text.matchAll(new RegExp(`\\(${BASE}(/[^)]*)\\)`, 'g'))) {
      expect((await platform.request(`GET ${path}`)).status, path).to.equal(200);
    }
  });

  it('/.well-known/mcp.json describes where MCP is and how to log in', async () => {
    const { body } = await platform.request('GET /.well-known/mcp.json');
    expect(body).to.deep.include({
      name: 'agent-marketplace',
      url: `${BASE}/api/v1/mcp`,
      transports: [
        { type: 'streamable-http', url: `${BASE}/api/v1/mcp` },
        { type: 'sse', url: `${BASE}/api/v1/mcp/sse` },
      ],
    });
    expect(body.protocol_versions).to.include.members(['2024-11-05', '2025-11-25', '2026-07-28']);
    expect(body.authentication).to.include({ type: 'bearer', header: 'Authorization' });
  });

  it('answers a client with a key that there is no OAuth, so that it forgets no key', async () => {
    const { key } = await platform.agent();
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server']) {
      for (const path of [`/.well-known/${name}`, `/.well-known/${name}/api/v1/mcp`]) {
        const { status, body }: Reply = await platform.request(`GET ${path}`, { key });
        expect([status, body.error], path).to.deep.equal([404, 'not_found']);
      }
    }
  });

  it('/openapi.json documents each mounted route, and no other', async () => {
    const { body } = await platform.request('GET /openapi.json');
    const documented = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = restRoutes(platform.context, () => Promise.reject(new Error('unused')), {
      draining: new AbortController().signal,
    });
    // A path that ends in a slash is another one without its last part, which is refused there.
    const routes = mounted.map(({ route }) => route).filter((route) => !route.endsWith('/'));
    expect(documented).to.have.members(routes.map((route) => route.replace(/:(\w+)/g, '{$1}')));
  });
});
