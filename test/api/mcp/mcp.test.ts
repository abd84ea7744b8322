import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe('MCP', () => {
  let platform: TestPlatform;
  let seller: { key: string };
  const clients: Client[] = [];

  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(() => platform.close());

  /** The client that most agents run. `version` is what it asks for instead of its newest. */
  async function connect(key?: string, version?: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = key ? { authorization: `Bearer ${key}` } : undefined;
    const transport = new StreamableHTTPClientTransport(new URL('/api/v1/mcp', platform.url), {
      ...(headers && { requestInit: { headers } }),
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const isHandshake = version && 'method' in message && message.method === 'initialize';
      if (isHandshake) message.params = { ...message.params, protocolVersion: version };
      return send(message as Parameters<typeof send>[0], options);
    };
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    clients.push(client);
    return client;
  }

  const call = async (client: Client, name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult & {
      // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever came back
      structuredContent: any;
    };

  const post = (message: object | string, { key, ...headers }: Record<string, string> = {}) =>
    platform.request('POST /api/v1/mcp', {
      ...(key && { key }),
      body: message,
      headers: { accept: 'application/json', ...headers },
    });

  const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const initialize = (protocolVersion: string) =>
    rpc('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });

  const product = () => platform.product(seller, { stock_kind: 'unlimited', content: 'It.' });

  it('sells to the v1 client, which checks every answer against its schema', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const { id } = await product();
    const client = await connect(buyer.key);
    await client.listTools(); // From now on it checks.
    const bought = await call(client, 'purchase_product', { product_id: id, wait: 20 });
    expect(bought.isError).to.equal(undefined);
    expect(bought.structuredContent).to.include({ status: 'escrow', product_id: id });
    expect(JSON.parse((bought.content[0] as { text: string }).text)).to.deep.equal(
      bought.structuredContent,
    );
    const pending = await call(client, 'purchase_product', { product_id: id, wait: 0 });
    expect(pending.structuredContent).to.include({ status: 'pending' });
    const refused = await call(client, 'purchase_product', { product_id: 2 ** 31 - 1 });
    expect(refused.isError).to.equal(true);
    expect(refused.structuredContent).to.include({ success: false, error: 'not_found' });
  });

  for (const version of VERSIONS) {
    it(`speaks ${version} with the v1 client`, async () => {
      const client = await connect(seller.key, version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.include('get_wallet');
      const { structuredContent } = await call(client, 'get_wallet', {});
      expect(structuredContent.balance).to.be.a('number');
    });

    it(`speaks ${version} with a client that accepts only JSON`, async () => {
      const { key } = seller;
      const handshake = await post(initialize(version));
      expect(handshake.status).to.equal(200);
      expect(handshake.headers.get('content-type')).to.match(/^application\/json/);
      expect(handshake.body.result.protocolVersion).to.equal(version);
      const headers = { key, 'mcp-protocol-version': version };
      const ready = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      expect(ready.status).to.equal(202);
      const { body } = await post(rpc('tools/list'), headers);
      expect(body.result.tools.map(({ name }: { name: string }) => name)).to.include('get_wallet');
      const wallet = await post(rpc('tools/call', { name: 'get_wallet' }), headers);
      expect(wallet.body.result.structuredContent.balance).to.be.a('number');
    });
  }

  it('speaks 2026-07-28, which has its handshake in every message', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const send = (method: string, params: { name?: string } = {}) =>
      post(rpc(method, { ...params, _meta: meta }), {
        key: seller.key,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params.name && { 'mcp-name': params.name }),
      });
    const { body: discovered } = await send('server/discover');
    expect(discovered.result.supportedVersions).to.include('2026-07-28');
    const { body: listed } = await send('tools/list');
    expect(listed.result.tools).to.have.length.above(5);
    const { body: called } = await send('tools/call', { name: 'get_wallet' });
    expect(called.result.structuredContent.balance).to.be.a('number');
  });

  it('answers a batch', async () => {
    const { body } = await post([rpc('ping'), { ...rpc('tools/list'), id: 2 }] as object);
    expect(body).to.have.length(2);
  });

  describe('without a key', () => {
    it('shows all tools and registers agents', async () => {
      const client = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.include('purchase_product');
      await client.ping();
      const username = `m${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
      const args = {
        username,
        email: `${username}@example.com`,
        password: 'correct horse battery',
      };
      const { structuredContent } = await call(client, 'register_agent', args);
      expect(structuredContent.api_key.key).to.match(/^vnx_/);
    });

    it('refuses every other tool with authentication_required', async () => {
      const client = await connect();
      const refused = await call(client, 'get_wallet', {});
      expect(refused.isError).to.equal(true);
      expect(refused.structuredContent.error).to.equal('authentication_required');
    });

    it('refuses every other method with 401', async () => {
      const { status, body, headers } = await post(rpc('resources/templates/list'));
      expect(status).to.equal(401);
      expect(body).to.include({ jsonrpc: '2.0', id: 1 });
      expect(body.error.message).to.contain('Authorization: Bearer vnx_');
      expect(body.error.data).to.include({ success: false, error: 'authentication_required' });
      expect(headers.get('www-authenticate')).to.equal('Bearer realm="agent-marketplace"');
    });
  });

  it('refuses a wrong key with 401 whatever is asked', async () => {
    const messages = [initialize('2025-06-18'), rpc('ping'), rpc('tools/list')];
    const calls = ['get_wallet', 'register_agent'].map((name) => rpc('tools/call', { name }));
    for (const message of [...messages, ...calls]) {
      const { status, body, headers } = await post(message, { key: 'vnx_wrong' });
      expect([status, body.id]).to.deep.equal([401, 1]);
      expect(body.error.data).to.include({ success: false, error: 'invalid_key' });
      expect(headers.get('www-authenticate')).to.contain('error="invalid_token"');
    }
    const error = await connect('vnx_wrong').catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 401 });
    expect(String(error), 'what the client shows').to.contain('"error":"invalid_key"');

    const batch = await post([rpc('ping'), rpc('ping')] as object, { key: 'vnx_wrong' });
    const unreadable = await post('x'.repeat(10_000), { key: 'vnx_wrong' });
    for (const { status, body } of [batch, unreadable]) {
      expect([status, body.id, body.error.data.error]).to.deep.equal([401, null, 'invalid_key']);
    }
  });

  it('knows no other tool, no other method and no sessions', async () => {
    const { key } = seller;
    const unknown = await post(rpc('tools/call', { name: 'steal' }), { key });
    expect(unknown.body.error.code).to.equal(-32602);
    expect((await post(rpc('tasks/list'), { key })).body.error.code).to.equal(-32601);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await platform.request(`${method} /api/v1/mcp`, { key });
      expect(status).to.equal(405);
      expect(headers.get('allow')).to.equal('POST, OPTIONS');
    }
  });

  it('refuses what is not JSON-RPC', async () => {
    const { key } = seller;
    for (const body of ['{"jsonrpc"', '"\\u0000"', '['.repeat(100_000), 'null', '{}', '[]', '7']) {
      const { status, text } = await post(body, { key });
      expect(status, body.slice(0, 20)).to.equal(400);
      expect(JSON.parse(text).error.code).to.be.oneOf([-32700, -32600]);
    }
  });

  it('buys once however often a call with one idempotency key is repeated', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const { id: product_id } = await product();
    const client = await connect(buyer.key);
    const args = { product_id, idempotency_key: 'once' };
    const [first, second] = await Promise.all([
      call(client, 'purchase_product', args),
      call(client, 'purchase_product', args),
    ]);
    expect(first.structuredContent).to.deep.equal(second.structuredContent);
    const byMeta = await client.callTool({
      name: 'purchase_product',
      arguments: { product_id },
      _meta: { 'idempotency-key': 'once' },
    });
    expect(byMeta.structuredContent).to.deep.equal(first.structuredContent);
    const rest = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id },
      headers: { 'idempotency-key': 'once' },
    });
    expect(rest.text).to.equal((first.content[0] as { text: string }).text);
    expect(rest.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(buyer)).to.equal(9.4);
  });

  it('drops fields that a tool does not have', async () => {
    const client = await connect(seller.key);
    const { isError } = await call(client, 'get_wallet', { reason: 'I like to look', wait: 3 });
    expect(isError).to.equal(undefined);
  });

  it('refuses arguments that are wrong by name', async () => {
    const client = await connect(seller.key);
    for (const args of [{ product_id: 'seven' }, {}, { product_id: 1, idempotency_key: 7 }]) {
      const { isError, structuredContent } = await call(client, 'purchase_product', args);
      expect(isError).to.equal(true);
      expect(structuredContent.error).to.equal('validation_error');
      expect(structuredContent.details.fields).to.have.length(1);
    }
  });
});
