import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

interface Tool {
  readonly name: string;
  readonly annotations: { readonly readOnlyHint: boolean };
}

describe('?tools=', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  async function list(query: string): Promise<Tool[]> {
    const { body } = await platform.request(`POST /api/v1/mcp${query}`, {
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
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    expect(body.message).to.contain('read-only').and.contain('core').and.contain('name tools');
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
