import { randomUUID } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';

/** Values of another JSON type than the schema's, and calls said in other ways. */
describe('the value of an argument', () => {
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  let product: { id: number };
  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent({ usd: 20 });
    const items = Array.from({ length: 20 }, () => `KEY-${randomUUID()}`);
    const seller = await platform.agent();
    product = await platform.product(seller, { price: 1, items });
    await platform.product(seller);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const rest = (route: string, body?: object | string, headers = {}) =>
    platform.request(route, { key: agent.key, ...(body !== undefined && { body }), headers });
  /** The same call by each form of MCP. */
  async function byTools(name: string, args: unknown) {
    const call = async (path: string, body: object) => (await rest(`POST ${path}`, body)).body;
    const rpc = (tool: string, given: unknown) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: given },
    });
    const run = { name, params: args };
    const [batch] = await call('/api/v1/mcp', [rpc(name, args)]);
    return [
      (await call('/api/v1/mcp', rpc(name, args))).result,
      batch.result,
      await call('/api/v1/mcp/call', { tool: name, params: args }),
      (await call('/mcp', rpc('run_operation', run))).result,
    ].map(({ structuredContent }) => structuredContent);
  }

  it('that a read does not know is named in its answer, and that of others is refused', async () => {
    for (const [route, ignored] of [
      ['GET /api/v1/products/search?query=x&max_results=3&page=2', ['max_results', 'page']],
      ['GET /api/v1/wallet?currency=EUR', ['currency']],
      ['GET /api/v1/orders?limit=1&order=desc&utm_source=', ['order', 'utm_source']],
      ['GET /api/v1/agent/me?%5F%5Fproto__=1', ['__proto__']],
      ['GET /api/v1/orders?limit=1', undefined],
    ] as const) {
      const { status, body } = await rest(route);
      expect([status, body.ignored], route).to.deep.equal([200, ignored]);
    }
    const balance = await platform.balance(agent);
    for (const [route, body] of [
      ['POST /api/v1/orders', { product_id: product.id, qty: 2 }],
      ['POST /api/v1/orders/preview', { product_id: product.id, qty: 2 }],
      ['GET /api/v1/proxy/list?count=5', undefined],
      ['GET /api/v1/email/validate/ada@example.com?strict=1', undefined],
    ] as const) {
      const reply = await rest(route, body);
      expect([reply.status, reply.body.error], route).to.deep.equal([422, 'validation_error']);
    }
    expect(await platform.balance(agent)).to.equal(balance);
  });

  it('is read by the schema where it is certain, at every interface', async () => {
    const { id } = product;
    for (const args of [
      { product_id: String(id), quantity: '2' },
      `{"product_id": ${id}.0, "quantity": 2}`,
      { product_id: `${id}.0`, quantity: 2 },
    ]) {
      for (const answer of await byTools('prepare_purchase_payload', args)) {
        expect(answer.total_due, JSON.stringify(answer)).to.equal(2.2);
      }
      expect((await rest('POST /api/v1/orders/preview', args)).body.total_due).to.equal(2.2);
    }
    for (const own of [{ own: 'False' }, { own: 'false', limit: '5' }, { own: null, limit: '' }]) {
      for (const answer of await byTools('list_datasets', own)) {
        expect(answer.count, JSON.stringify(own)).to.equal(0);
      }
    }
    const spawned = { agent_name: `s${randomUUID().slice(0, 8)}`, permissions: '["read","buy"]' };
    const { body } = await rest('POST /api/v1/agent/spawn', spawned);
    expect(body.agent.permissions).to.deep.equal(['read', 'buy']);
    expect((await rest('GET /api/v1/products?limit=&cursor=')).status).to.equal(200);
    expect((await rest('GET /api/v1/products?limit=1')).body.count).to.equal(1);
  });

  it('that is not certain is refused with what was expected, and nothing is bought', async () => {
    const before = await platform.balance(agent);
    for (const [args, field] of [
      [{ product_id: 'abc' }, '/product_id must be integer'],
      [{ product_id: 1.5 }, '/product_id must be integer'],
      [{ product_id: '0x1' }, '/product_id must be integer'],
      [{ product_id: '[1]' }, '/product_id must be integer'],
      [{ product_id: null }, '/product_id is missing'],
      [{ product_id: product.id, quantity: true }, '/quantity must be integer'],
      [{ product_id: product.id, max_total_due: '' }, '/max_total_due must be number'],
      [{ product_id: product.id, max_total_due: '1,00' }, '/max_total_due must be number'],
      [{ product: { product_id: 1 } }, 'send product_id without it'],
      [{ productId: product.id }, 'did you mean product_id?'],
    ] as const) {
      for (const answer of await byTools('purchase_product', args)) {
        expect(answer.error, JSON.stringify(args)).to.equal('validation_error');
        expect(answer.message).to.contain(field);
      }
      const { status, body } = await rest('POST /api/v1/orders', args);
      expect([status, body.message.includes(field)], body.message).to.deep.equal([422, true]);
    }
    const hidden = { product_id: product.id, quantity: '{"a":"\\u0000"}' };
    expect((await rest('POST /api/v1/orders', hidden)).status).to.equal(422);
    expect(await platform.balance(agent)).to.equal(before);
  });

  it('makes no other call of one with its default written out, whichever came first', async () => {
    const before = await platform.balance(agent);
    const { id } = product;
    const said = [
      { product_id: id },
      { product_id: id, quantity: 1 },
      { product_id: String(id), quantity: '1' },
      { product_id: id, quantity: null },
    ];
    for (const order of [said, said.toReversed()]) {
      const key = randomUUID();
      const ids = new Set<number>();
      for (const body of order) {
        const sent = { 'idempotency-key': key };
        ids.add((await rest('POST /api/v1/orders', body, sent)).body.order_id);
        ids.add(
          (await rest('POST /api/v1/orders', { ...body, idempotencyKey: key })).body.order_id,
        );
      }
      expect([...ids]).to.have.length(1);
      const other = { product_id: id, quantity: 2, 'idempotency-key': key };
      expect((await rest('POST /api/v1/orders', other)).body.error).to.equal(
        'idempotency_conflict',
      );
      const twice = { product_id: id, idempotency_key: 'x' };
      const differing = await rest('POST /api/v1/orders', twice, { 'idempotency-key': key });
      expect(differing.body.message).to.contain('sent twice');
    }
    expect(await platform.balance(agent)).to.be.closeTo(before - 2.2, 1e-9);
  });

  it('of a cursor belongs to its list', async () => {
    const { next_cursor: cursor } = (await rest('GET /api/v1/products?limit=1')).body;
    const at = (path: string) => rest(`GET ${path}?limit=1&cursor=${encodeURIComponent(cursor)}`);
    expect((await at('/api/v1/products')).body.count).to.equal(1);
    for (const path of ['/api/v1/orders', '/api/v1/tasks', '/api/v1/wallet/statement']) {
      const { status, body } = await at(path);
      expect([status, body.error], path).to.deep.equal([422, 'validation_error']);
      expect(body.message).to.contain('another list');
    }
    const [nameless] = cursor.split('=');
    const { status, body } = await rest(`GET /api/v1/products?limit=1&cursor=${nameless}`);
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    expect(body.message).to.contain('must be a next_cursor of this list');
    // Cut off, or mistyped so that base64 would still read it.
    for (const wrong of [cursor.slice(0, -3), cursor.slice(1), cursor.replace(/^./, '$&.')]) {
      const refused = await rest(
        `GET /api/v1/products?limit=1&cursor=${encodeURIComponent(wrong)}`,
      );
      expect([refused.status, refused.body.error], wrong).to.deep.equal([422, 'validation_error']);
    }
  });

  it('may come compressed, and its size counts as it was before', async () => {
    const json = JSON.stringify({ product_id: product.id });
    const send = async (body: Uint8Array, encoding: string, key = agent.key) => {
      const headers = { authorization: `Bearer ${key}`, 'content-encoding': encoding };
      const url = `${platform.url}/api/v1/orders/preview`;
      const answer = await fetch(url, { method: 'POST', headers, body: body as BodyInit });
      return { status: answer.status, body: (await answer.json()) as { error?: string } };
    };
    for (const [body, encoding] of [
      [gzipSync(json), 'gzip'],
      [gzipSync(json), 'X-GZIP'],
      [deflateSync(json), 'deflate'],
      [deflateRawSync(json), 'deflate'],
      [Buffer.from(json), 'identity'],
    ] as const) {
      expect((await send(body, encoding)).status, encoding).to.equal(200);
    }
    const bomb = await send(gzipSync(Buffer.alloc(100_000_000, 0x20)), 'gzip');
    expect([bomb.status, bomb.body.error]).to.deep.equal([413, 'payload_too_large']);
    const exact = `{"product_id":${product.id}${' '.repeat(256 * 1024)}`.slice(0, 256 * 1024 - 1);
    expect((await send(gzipSync(`${exact}}`), 'gzip')).status).to.equal(200);
    expect((await send(gzipSync(`${exact} }`), 'gzip')).status).to.equal(413);
    for (const body of [Buffer.from(json), gzipSync(json).subarray(0, 20)]) {
      expect((await send(body, 'gzip')).status).to.equal(422);
    }
    for (const encoding of ['br', 'zstd', 'gzip, gzip', '__proto__']) {
      const { status, body } = await send(gzipSync(json), encoding);
      expect([status, body.error], encoding).to.deep.equal([415, 'unsupported_encoding']);
    }
  });
});
