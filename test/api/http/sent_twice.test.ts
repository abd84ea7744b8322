import { request } from 'node:http';

import { expect } from 'chai';
import fc from 'fast-check';

import { repeatedNameIn } from '../../../shared/kernel/reading/json_text.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';
import { meet } from '../../orders/trade.ts';

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Public reports of others: two keys in two headers pay twice; the last of two limits holds. */
describe('what is sent twice in one request', () => {
  let platform: TestPlatform;
  let buyer: Awaited<ReturnType<TestPlatform['agent']>>;
  let productId: number;
  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { stock_kind: 'unlimited', content: 'It.' });
    ({ buyer } = met);
    productId = met.product.id;
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const json: readonly [string, string] = ['content-type', 'application/json'];
  const send = (
    route: string,
    { body = '', headers = [] as readonly (readonly [string, string])[] },
  ): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const [method, path] = route.split(' ') as [string, string];
      const { host } = new URL(platform.url);
      const raw = [['accept', 'application/json'], ...headers];
      if (!headers.some(([name]) => name === 'host')) raw.push(['host', host]);
      if (body !== '') raw.push(['content-length', String(Buffer.byteLength(body))]);
      const options = { method, headers: raw.flat() as unknown as Record<string, string> };
      const sent = request(platform.url + path, options, (res) => {
        let text = '';
        res.on('data', (chunk: Buffer) => (text += chunk.toString()));
        res.on('end', () => resolve({ status: res.statusCode!, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const bearer = (key = buyer.key) => ['authorization', `Bearer ${key}`] as const;
  const order = () => JSON.stringify({ product_id: productId });

  it('is refused as a header that says who calls or what is paid, and nothing is bought', async () => {
    const other = await platform.agent({ usd: 5 });
    const { host } = new URL(platform.url);
    const before = [await platform.balance(buyer), await platform.balance(other)];
    const twice: readonly (readonly [string, string])[][] = [
      [bearer(), bearer(other.key)],
      [bearer(), bearer()],
      [bearer(), ['idempotency-key', 'one'], ['idempotency-key', 'two']],
      [bearer(), ['Idempotency-Key', 'same'], ['idempotency-key', 'same']],
      [bearer(), ['X-Idempotency-Key', 'one'], ['x-idempotency-key', 'two']],
      [bearer(), ['host', host], ['host', 'evil.example']],
      [bearer(), ['origin', platform.url], ['origin', 'http://evil.example']],
      [bearer(), ['content-type', 'text/plain']],
      [
        ['x-payment', 'e30='],
        ['x-payment', 'e30='],
      ],
      [
        ['payment-signature', 'e30='],
        ['payment-signature', 'W10='],
      ],
    ];
    for (const headers of twice) {
      const reply = await send('POST /api/v1/orders', {
        body: order(),
        headers: [...headers, json],
      });
      expect(reply.status, JSON.stringify(headers)).to.equal(400);
      expect(JSON.parse(reply.text)).to.include({ success: false, error: 'bad_request' });
    }
    const tool = JSON.stringify({ tool: 'agent_me', params: {} });
    for (const path of ['/api/v1/mcp/call', '/api/v1/mcp', '/mcp', '/vault/1']) {
      const headers = [bearer(), bearer(other.key), json];
      const method = path === '/vault/1' ? 'GET' : 'POST';
      const body = method === 'GET' ? '' : tool;
      expect((await send(`${method} ${path}`, { body, headers })).status, path).to.equal(400);
    }
    expect([await platform.balance(buyer), await platform.balance(other)]).to.deep.equal(before);
  });

  it('is taken of other headers, as routers add them', async () => {
    const headers = [
      bearer(),
      ['x-forwarded-for', '10.0.0.1'],
      ['x-forwarded-for', '10.0.0.2'],
      ['prefer', 'wait=1'],
      ['prefer', 'wait=2'],
    ] as const;
    expect((await send('GET /api/v1/agent/me', { headers })).status).to.equal(200);
  });

  const NAMES: readonly [what: string, route: string, body: (id: number) => string][] = [
    ['a quantity', 'POST /api/v1/orders', (id) => `{"product_id":${id},"quantity":1,"quantity":2}`],
    ['the same quantity', 'POST /api/v1/orders', (id) => `{"product_id":${id},"product_id":${id}}`],
    ['an escape', 'POST /api/v1/orders', (id) => `{"product_id":9,"product\\u005fid":${id}}`],
    [
      'an argument of a tool',
      'POST /api/v1/mcp/call',
      (id) => `{"tool":"purchase_product","params":{"product_id":${id},"quantity":1,"quantity":2}}`,
    ],
    [
      'the name of a tool',
      'POST /api/v1/mcp/call',
      (id) => `{"tool":"get_wallet","tool":"purchase_product","params":{"product_id":${id}}}`,
    ],
    [
      'an argument in a text',
      'POST /api/v1/mcp/call',
      (id) =>
        JSON.stringify({
          tool: 'purchase_product',
          params: `{"product_id":${id},"quantity":1,"quantity":2}`,
        }),
    ],
    [
      'an argument of a message',
      'POST /api/v1/mcp',
      (id) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"purchase_product",
        "arguments":{"product_id":${id},"quantity":1,"quantity":2}}}`,
    ],
    [
      'the method of a message',
      'POST /mcp',
      (id) => `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{
        "name":"purchase_product","arguments":{"product_id":${id}}}}`,
    ],
  ];
  for (const [what, route, body] of NAMES) {
    it(`is refused as ${what} in JSON by ${route}, and nothing is bought`, async () => {
      const before = await platform.balance(buyer);
      const { text } = await send(route, { body: body(productId), headers: [bearer(), json] });
      expect(text).to.match(/twice in one object|validation_error/);
      expect(await platform.balance(buyer)).to.equal(before);
    });
  }

  it('is refused as a limit, and none is set', async () => {
    const body = '{"daily_spend_limit":1,"daily_spend_limit":100000}';
    const route = `POST /agent/monitor/${buyer.id}/policy`;
    const reply = await send(route, { body, headers: [bearer(), json] });
    expect(reply.status).to.equal(422);
    const wallet = await platform.request('GET /api/v1/wallet', { key: buyer.key });
    expect(wallet.body.daily_spend_limit).to.equal(null);
  });

  it('is found in any JSON text, and only there', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(repeatedNameIn(text)).to.equal(undefined);
      }),
    );
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.string(), (first, second, name) => {
        const quoted = JSON.stringify(name);
        const twice = `{${quoted}: ${first}, "other": 1,${quoted} :${second}}`;
        fc.pre(name !== 'other');
        expect(repeatedNameIn(`[{"a":{}}, ${twice}]`)).to.equal(name);
        expect(repeatedNameIn(`[{${quoted}:${first}},{${quoted}:${second}}]`)).to.equal(undefined);
      }),
    );
  });
});
