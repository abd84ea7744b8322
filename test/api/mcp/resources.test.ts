import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

const URIS = ['wallet', 'events', 'categories', 'errors'].map((name) => `marketplace://${name}`);

describe('resources and prompts of MCP', () => {
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  let productId: number;

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent({ usd: 2 });
    productId = (await platform.product(agent)).id;
  });
  after(() => platform.close());

  async function rpc(method: string, params: object = {}, key: string | undefined = agent.key) {
    const { body } = await platform.request('POST /api/v1/mcp', {
      key,
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    return body;
  }
  const read = async (uri: string, key?: string) => {
    const { result, error } = await rpc('resources/read', { uri }, key);
    if (error) return { error };
    const [{ mimeType, text, ...content }] = result.contents;
    expect([content.uri, mimeType]).to.deep.equal([uri, 'application/json']);
    return { answer: JSON.parse(text) };
  };

  it('are declared and listed', async () => {
    const handshake = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { capabilities } = (await rpc('initialize', handshake)).result;
    expect(capabilities).to.have.all.keys('tools', 'resources', 'prompts');
    const { resources } = (await rpc('resources/list')).result;
    expect(resources.map(({ uri }: { uri: string }) => uri)).to.deep.equal(URIS);
    const { resourceTemplates } = (await rpc('resources/templates/list')).result;
    expect(resourceTemplates[0]).to.include({ uriTemplate: 'marketplace://products/{id}' });
    const { prompts } = (await rpc('prompts/list')).result;
    expect(prompts.map(({ name }: { name: string }) => name)).to.deep.equal([
      'buy_best_match',
      'sell_something',
    ]);
  });

  it('answer what the tools answer', async () => {
    const { body: wallet } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    expect((await read('marketplace://wallet')).answer).to.deep.equal(wallet);
    const { body: events } = await platform.request('GET /api/v1/events', { key: agent.key });
    expect((await read('marketplace://events')).answer).to.deep.equal(events);
    const after = await read(`marketplace://events/${events.next_cursor}`);
    expect(after.answer).to.deep.include({ events: [], next_cursor: events.next_cursor });
    const product = await platform.request(`GET /api/v1/products/${productId}`, { key: agent.key });
    const { answer } = await read(`marketplace://products/${productId}`);
    expect(answer).to.deep.equal(product.body);
    expect(answer.description).to.include({ untrusted: true });
  });

  it('hold the table of errors and the categories', async () => {
    const { errors } = (await read('marketplace://errors')).answer;
    expect(errors).to.deep.include({
      error: 'insufficient_balance',
      status: 402,
      retryable: false,
      next_actions: [{ tool: 'get_wallet', route: 'GET /api/v1/wallet', scope: 'read' }],
    });
    const { categories } = (await read('marketplace://categories')).answer;
    expect(categories).to.have.members([
      'serial_key',
      'api_service',
      'proxy_service',
      'mcp_server',
      'smart_contract',
      'dataset',
    ]);
  });

  it('need the scopes that their tools need', async () => {
    const seller = await platform.keyOf(agent, ['sell']);
    for (const uri of ['marketplace://wallet', `marketplace://products/${productId}`]) {
      const { error } = await read(uri, seller);
      expect(error.data, uri).to.include({ error: 'insufficient_scope' });
    }
    const unkeyed = await platform.request('POST /api/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: URIS[0] } },
    });
    expect(unkeyed.status).to.equal(401);
    expect(unkeyed.body.error.data).to.include({ error: 'authentication_required' });
  });

  it('do not exist for a caller that may not see them', async () => {
    const other = await platform.agent();
    const { id } = await platform.product(agent, { active: false });
    const answers = [];
    for (const uri of [
      `marketplace://products/${id}`,
      'marketplace://products/2147483647',
      'marketplace://products/0x1',
      'marketplace://wallet/1',
      'file:///etc/passwd',
      '',
    ]) {
      const { code, data } = (await read(uri, other.key)).error;
      answers.push([code, data.uri === uri]);
    }
    expect(answers).to.deep.equal(answers.map(() => [-32602, true]));
    expect((await read(`marketplace://products/${id}`)).answer).to.include({ product_id: id });
  });

  it('fill in the arguments of prompts, and refuse missing ones', async () => {
    const values = { need: 'A calendar\u200b', budget_usd: '0.30' };
    const { messages } = (await rpc('prompts/get', { name: 'buy_best_match', arguments: values }))
      .result;
    expect(messages).to.have.length(1);
    expect(messages[0].content.text).to.contain('this need: A calendar\n').and.contain('$0.30');
    for (const params of [
      { name: 'buy_best_match' },
      { name: 'buy_best_match', arguments: { need: 'x' } },
      { name: 'sell_something', arguments: { what: 'x'.repeat(501), price_usd: '1' } },
      { name: 'steal' },
    ]) {
      expect((await rpc('prompts/get', params)).error.code).to.equal(-32602);
    }
  });

  it('name only existing tools in their prompts', async () => {
    const { tools } = (await rpc('tools/list')).result;
    const names = tools.map(({ name }: { name: string }) => name);
    for (const [name, values] of [
      ['buy_best_match', { need: 'x', budget_usd: '1' }],
      ['sell_something', { what: 'x', price_usd: '1' }],
    ] as const) {
      const { messages } = (await rpc('prompts/get', { name, arguments: values })).result;
      const fields = ['max_price', 'idempotency_key', 'total_due', 'quote_id'];
      const kinds = ['stock_kind', 'serial_pool'];
      const words: string[] = messages[0].content.text.match(/\b[a-z]+(_[a-z]+)+\b/g);
      const unknown = words.filter(
        (word) => ![...names, ...fields, ...kinds, 'pending_review'].includes(word),
      );
      expect(unknown).to.deep.equal([]);
    }
  });
});
