import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('the handshake of MCP', () => {
  let platform: TestPlatform;
  let agent: { key: string };

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent();
  });
  after(() => platform.close());

  const post = async (method: string, params: object, key?: string, headers = {}) =>
    platform.request('POST /api/v1/mcp', {
      ...(key && { key }),
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers,
    });
  const handshake = async (key?: string, protocolVersion = '2025-06-18') => {
    const clientInfo = { name: 'test', version: '1' };
    const { body } = await post(
      'initialize',
      { protocolVersion, capabilities: {}, clientInfo },
      key,
    );
    return body.result;
  };
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = (method: string, params: Readonly<Record<string, unknown>> = {}, key?: string) =>
    post(method, { ...params, _meta: META }, key, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.uri === 'string' && { 'mcp-name': params.uri }),
      accept: 'application/json, text/event-stream',
    });

  it('declares what its caller can use, and no more', async () => {
    expect(Object.keys((await handshake()).capabilities)).to.deep.equal(['tools']);
    const { body } = await modern('server/discover');
    expect(Object.keys(body.result.capabilities)).to.deep.equal(['tools']);
    const all = ['tools', 'resources', 'prompts'];
    expect(Object.keys((await handshake(agent.key)).capabilities)).to.deep.equal(all);
    const seller = await platform.keyOf(agent, ['sell']);
    expect(Object.keys((await handshake(seller)).capabilities)).to.deep.equal([
      'tools',
      'resources',
    ]);
    const { body: prompts } = await post('prompts/list', {}, seller);
    expect(prompts.error.code).to.equal(-32601);
  });

  it('says that its lists may be kept for a while, and what is read may not', async () => {
    const hintOf = async (method: string, params = {}) => {
      const { ttlMs, cacheScope } = (await modern(method, params, agent.key)).body.result;
      return [ttlMs, cacheScope];
    };
    const lists = ['server/discover', 'tools/list', 'prompts/list', 'resources/list'];
    for (const method of [...lists, 'resources/templates/list']) {
      expect(await hintOf(method), method).to.deep.equal([300_000, 'private']);
    }
    const wallet = await hintOf('resources/read', { uri: 'marketplace://wallet' });
    expect(wallet).to.deep.equal([0, 'private']);
    const { body } = await post('tools/list', {}, agent.key);
    expect(body.result).to.have.all.keys('tools');
  });

  it('lists the resources and prompts that the key allows', async () => {
    const listed = async (key: string) => {
      const { body: list } = await post('resources/list', {}, key);
      const { body: templates } = await post('resources/templates/list', {}, key);
      const uris = list.result.resources.map(({ uri }: { uri: string }) => uri.split('//')[1]);
      return [
        ...uris,
        ...templates.result.resourceTemplates.map(({ name }: { name: string }) => name),
      ];
    };
    const reader = await platform.keyOf(agent, ['read']);
    expect(await listed(reader)).to.deep.equal(
      'wallet events categories errors product order events-after'.split(' '),
    );
    const seller = await platform.keyOf(agent, ['sell']);
    expect(await listed(seller)).to.deep.equal(['events', 'categories', 'errors', 'events-after']);
    const buyer = await platform.keyOf(agent, ['read', 'buy']);
    const { body } = await post('prompts/list', {}, buyer);
    expect(body.result.prompts.map(({ name }: { name: string }) => name)).to.deep.equal([
      'buy_best_match',
    ]);
    const values = { what: 'x', price_usd: '1' };
    const sale = await post('prompts/get', { name: 'sell_something', arguments: values }, buyer);
    expect(sale.body.error.code).to.equal(-32602);
  });

  it('says where the key belongs: into the configuration of the client', async () => {
    expect((await handshake()).instructions).to.match(/register_agent.*configuration.*Bearer/);
    expect((await handshake(agent.key)).instructions).not.to.contain('register_agent');
    const { body: called } = await post('tools/call', { name: 'get_wallet' });
    expect(called.result.structuredContent.message).to.match(/configuration.*register_agent/);
    const name = `h${Date.now().toString(36)}`;
    const { body } = await post('tools/call', {
      name: 'register_agent',
      arguments: { username: name, email: `${name}@example.com`, password: 'correct horse' },
    });
    expect(body.result.structuredContent.api_key.warning).to.match(/Bearer.*configuration/);
  });

  it('answers a client of a newer version with our newest, of another with 2024-11-05', async () => {
    const answered = async (version: string) =>
      (await handshake(undefined, version)).protocolVersion;
    for (const newer of ['2025-12-01', '2026-07-28', '2031-01-01']) {
      expect(await answered(newer), newer).to.equal('2025-11-25');
    }
    for (const other of ['1999-01-01', 'newest', '']) {
      expect(await answered(other), other).to.equal('2024-11-05');
    }
  });

  it('refuses a header that names a version it does not speak', async () => {
    const headers = { 'mcp-protocol-version': '2025-01-01' };
    const { status, body } = await post('ping', {}, undefined, headers);
    expect([status, body.error.code]).to.deep.equal([400, -32000]);
    expect(body.error.message).to.contain('2025-11-25');
  });

  it('says that there are no subscriptions', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const { status, body } = await modern('subscriptions/listen', params, agent.key);
    expect([status, body.id, body.error.code]).to.deep.equal([404, 1, -32601]);
    expect(body.error.message).to.contain('no subscriptions');
    const older = await post('subscriptions/listen', params, agent.key);
    expect(older.body.error.code).to.equal(-32601);
  });
});
