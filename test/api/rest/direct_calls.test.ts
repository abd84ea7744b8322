import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { direct } from '../../../api/rest/direct_calls.ts';
import { restRoutes } from '../../../api/rest/rest.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { TestPlatform } from '../../harness.ts';
import { meet } from '../../orders/trade.ts';

interface Sent {
  readonly body?: string | object;
  readonly headers?: Record<string, string>;
  readonly key?: string;
}

describe('a call at the exact path of an operation', () => {
  let platform: TestPlatform;
  let key: string;
  let product_id: number;
  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { stock_kind: 'unlimited', content: 'It.', title: 'It’s €' });
    key = met.buyer.key;
    product_id = met.product.id;
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const CALLS: readonly (readonly [string, string, () => Sent])[] = [
    ['a read', 'GET /api/v1/wallet', () => ({ key })],
    ['a list with fields', 'GET /api/v1/products?limit=1&category=serial_key', () => ({ key })],
    ['an unknown argument', 'GET /api/v1/wallet?weight=3', () => ({ key })],
    ['a wrong argument', 'GET /api/v1/products?limit=many', () => ({ key })],
    ['percent signs that are none', 'GET /api/v1/products?query=%E0%A4%A', () => ({ key })],
    ['no key', 'GET /api/v1/wallet', () => ({})],
    ['a wrong key', 'GET /api/v1/wallet', () => ({ key: `${key}x` })],
    [
      'a page of another origin',
      'GET /api/v1/wallet',
      () => ({ key, headers: { origin: 'https://a.example' } }),
    ],
    [
      'an own request id',
      'GET /api/v1/wallet',
      () => ({ key, headers: { 'x-request-id': 'mine' } }),
    ],
    [
      'a purchase',
      'POST /api/v1/orders',
      () => ({ key, body: { product_id }, headers: { 'idempotency-key': randomUUID() } }),
    ],
    [
      'a purchase that is not waited for',
      'POST /api/v1/orders',
      () => ({
        key,
        body: { product_id },
        headers: { prefer: 'respond-async', 'idempotency-key': randomUUID() },
      }),
    ],
    [
      'a purchase that is tried',
      'POST /api/v1/orders?dry_run=true',
      () => ({ key, body: { product_id } }),
    ],
    [
      'a product that there is none of',
      'POST /api/v1/orders',
      () => ({ key, body: { product_id: 999_999 } }),
    ],
    ['no JSON', 'POST /api/v1/orders', () => ({ key, body: '{' })],
    ['no body', 'POST /api/v1/orders', () => ({ key })],
    ['a body that is too large', 'POST /api/v1/orders', () => ({ key, body: 'x'.repeat(300_000) })],
    ['a large body without a key', 'POST /api/v1/orders', () => ({ body: 'x'.repeat(9_000) })],
    [
      'an encoding that is unknown',
      'POST /api/v1/orders',
      () => ({ key, body: '{}', headers: { 'content-encoding': 'snappy' } }),
    ],
  ];

  for (const [name, route, sent] of CALLS) {
    it(`is answered as Koa answers it: ${name}`, async () => {
      const [path, query = ''] = route.split('?');
      const spellings = [route, `${path}/${query && `?${query}`}`];
      const [directly, byKoa] = await Promise.all(spellings.map((one) => answerTo(one, sent())));
      expect(directly).to.deep.equal(byKoa);
    });
  }

  /** Status, headers and body, without what differs between any two calls. */
  async function answerTo(route: string, { key: token, body, headers }: Sent) {
    const [method, path] = route.split(' ') as [string, string];
    const sentBody = typeof body === 'object' ? JSON.stringify(body) : body;
    const response = await fetch(platform.url + path, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(sentBody !== undefined && { body: sentBody }),
    });
    const text = (await response.text())
      .replaceAll(/req_\w+/g, 'req_')
      .replaceAll(/"[\w-]{36}"|[\w-]{36}(?=")/g, 'id')
      .replaceAll(/"(order_id|item_endpoint|release_at|available|\w*balance\w*)":[^,}]+/g, '"$1":0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
    const all = [...response.headers]
      .filter(([header]) => !['date', 'content-length', 'ratelimit'].includes(header))
      .map(([header, value]) => [header, value.replaceAll(/req_\w+|[\w-]{36}$/g, 'id')]);
    const length = Number(response.headers.get('content-length')) > 0;
    return {
      status: response.status,
      headers: all.toSorted(([one], [other]) => (one! < other! ? -1 : 1)),
      text,
      length,
    };
  }

  it('is not left to Koa, and whatever else is asked for is', async () => {
    const { context } = platform;
    const invoke = () => Promise.reject(new Refusal('authentication_required', 'No key.'));
    const routes = restRoutes(context, invoke, { draining: new AbortController().signal });
    const server = createServer(direct(context, routes, (_, res) => res.writeHead(418).end()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const status = async (route: string, headers: Record<string, string> = {}) => {
      const [method, path] = route.split(' ') as [string, string];
      return (await fetch(url + path, { method, headers })).status;
    };
    const stream = { accept: 'text/event-stream' };
    expect([
      await status('GET /api/v1/wallet'),
      await status('GET /api/v1/wallet?a=b'),
      await status('POST /api/v1/orders'),
      await status('GET /api/v1/wallet/'),
      await status('HEAD /api/v1/wallet'),
      await status('OPTIONS /api/v1/orders'),
      await status('GET /api/v1/orders/1'),
      await status('GET /api/v1/proxy/list'),
      await status('GET /api/v1/events', stream),
      await status('GET /market'),
    ]).to.deep.equal([401, 401, 401, ...Array<number>(7).fill(418)]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('that cannot be answered ends its connection, and no other', async () => {
    const { context } = platform;
    const invoke = () => Promise.reject(new Refusal('authentication_required', 'No key.'));
    const routes = restRoutes(context, invoke, { draining: new AbortController().signal });
    const [odd] = routes.filter(({ route }) => route === 'GET /api/v1/wallet');
    const answer = direct(
      context,
      [
        ...routes,
        {
          ...odd!,
          route: 'GET /odd',
          async handle(ctx) {
            await Promise.resolve();
            ctx.set('X-Odd', '\u20ac'); // No header may have it.
            ctx.body = '{}';
          },
        },
      ],
      (_, res) => res.writeHead(418).end(),
    );
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const failed = await fetch(`${url}/odd`).catch(() => 'disconnected');
    expect(failed).to.equal('disconnected');
    expect((await fetch(`${url}/api/v1/wallet`)).status).to.equal(401);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
