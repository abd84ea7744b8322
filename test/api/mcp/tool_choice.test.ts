import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Record<string, { readonly description?: string }> };
  readonly outputSchema: { readonly anyOf: readonly { readonly properties?: object }[] };
  readonly annotations: { readonly readOnlyHint: boolean };
}

describe('?tools=', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  async function list(query: string, key?: string): Promise<Tool[]> {
    const { body } = await platform.request(`POST /api/v1/mcp${query}`, {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    return body.result.tools;
  }
  const names = (tools: Tool[]) => tools.map(({ name }) => name);

  it('gives groups, single tools and what only reads, and refuses what does not exist', async () => {
    const market = names(await list('?tools=market'));
    expect(market).to.include.members(['purchase_product', 'get_orders']);
    expect(market).not.to.include('get_wallet');
    expect(names(await list('?tools=market,wallet'))).to.include.members([...market, 'get_wallet']);
    expect(names(await list('?tools=get_wallet,market'))).to.have.members([
      ...market,
      'get_wallet',
    ]);
    expect(names(await list('?tools=get_job'))).to.deep.equal(['get_job']);

    const readOnly = await list('?tools=read-only');
    expect(names(readOnly)).to.include.members(['search_assets', 'get_wallet', 'get_job']);
    expect(readOnly.every(({ annotations }) => annotations.readOnlyHint)).to.equal(true);
    const marketReads = names(await list('?tools=market,read-only'));
    expect(marketReads).to.include('get_orders').and.not.include.members(['get_wallet']);
    expect(market).to.include.members(marketReads);

    const { status, body } = await platform.request('POST /api/v1/mcp?tools=none', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    const { data: refusal } = body.error;
    expect([status, refusal.error]).to.deep.equal([422, 'validation_error']);
    expect(refusal.message).to.contain('read-only').and.contain('core').and.contain('name tools');
  });

  it('shows texts that name no tool which the list lacks, whatever the key allows', async () => {
    const agent = await platform.agent();
    const rights = [
      ['read'],
      ['buy'],
      ['sell'],
      ['read', 'buy'],
      ['read', 'sell'],
      ['buy', 'sell'],
    ];
    const limited = await Promise.all(rights.map((scopes) => platform.keyOf(agent, scopes)));
    const every = names(await list(''));
    const { body } = await platform.request('POST /api/v1/mcp?tools=none', {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    const groups: string[] = body.error.message.match(/groups (.+)\.$/)[1].split(', ');
    expect(groups).to.include.members(['core', 'market', 'wallet', 'jobs']);

    const filters = ['', '?tools=read-only', ...groups.map((group) => `?tools=${group}`)];
    const ofKeys = [undefined, agent.key, ...limited].flatMap((key) =>
      filters.map((filter) => [filter, key] as const),
    );
    const single = every.map((name) => [`?tools=${name}`, agent.key] as const);
    for (const [filter, key] of [...ofKeys, ...single]) {
      const tools = await list(filter, key);
      const words = JSON.stringify(tools).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
      const absent = words.filter((word) => every.includes(word) && !names(tools).includes(word));
      expect(absent, `${filter} ${limited.indexOf(key!)}`).to.deep.equal([]);
      for (const { name, description, inputSchema } of tools) {
        expect(description, name).to.have.length.above(19);
        for (const [field, schema] of Object.entries(inputSchema.properties)) {
          expect(schema.description, `${name}.${field}`).to.be.a('string');
        }
      }
    }
  });

  it('shows an object in full once, where no tool of the list only reads it', async () => {
    const agent = await platform.agent();
    const sells = await list('', await platform.keyOf(agent, ['sell']));
    const [created, updated] = ['create_product', 'update_product'].map(
      (name) => sells.find((tool) => tool.name === name)!.outputSchema.anyOf[0]!,
    );
    expect(created!.properties).to.include.keys('product_id', 'price', 'status');
    expect(updated).to.include({ description: 'See create_product.' });

    const [purchase] = await list('?tools=purchase_product', agent.key);
    expect(purchase!.description).to.contain('delivers to the vault at once. Send an');
    const { product_id: product } = purchase!.inputSchema.properties;
    expect(product!.description).to.equal('The product.');
    const reads = await list('?tools=get_vault_item,get_orders', agent.key);
    const vault = reads.find(({ name }) => name === 'get_vault_item')!;
    expect(vault.inputSchema.properties.order_id!.description).to.equal(
      'The order. From get_orders.',
    );
  });

  it('gives get_job with every tool that may answer "pending"', async () => {
    const pending = names(await list('?tools=purchase_product'));
    expect(pending).to.have.members(['purchase_product', 'get_job']);
    expect(names(await list('?tools=email'))).to.include('get_job');
    expect(names(await list('?tools=wallet'))).not.to.include('get_job');
  });

  it('says where clients look how to choose tools', async () => {
    const { body: card } = await platform.request('GET /.well-known/mcp.json');
    expect(card.tools_parameter).to.contain('read-only');
    const { text } = await platform.request('GET /llms.txt');
    expect(text).to.contain('?tools=core');
    const { body } = await platform.request('POST /api/v1/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
    });
    expect(body.result.instructions).to.contain('?tools=');
  });
});
