import { expect } from 'chai';

import { INSTRUCTIONS } from '../../../api/mcp/sets/instructions.ts';
import { SETS } from '../../../api/mcp/sets/sets.ts';
import { TestPlatform } from '../../harness.ts';

interface Tool {
  readonly name: string;
  readonly annotations: { readonly readOnlyHint: boolean };
}

const GENERIC = ['find_operation', 'describe_operation', 'read_operation', 'run_operation'];

describe('sets of tools', () => {
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent({ usd: 10 });
  });
  after(() => platform.close());

  async function rpc(path: string, method: string, params = {}, key = agent.key) {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await platform.request(`POST ${path}`, { key, body })).body;
  }
  const list = async (path: string, key = agent.key): Promise<Tool[]> =>
    (await rpc(path, 'tools/list', {}, key)).result.tools;
  const names = (tools: Tool[]) => tools.map(({ name }) => name);
  const call = async (name: string, args: object, path = '/mcp') =>
    (await rpc(path, 'tools/call', { name, arguments: args })).result;

  it('are there by address, each with its tools and texts that name no other', async () => {
    const every = names(await list('/api/v1/mcp'));
    for (const [name, words] of Object.entries(SETS)) {
      const tools = await list(`/mcp/x/${name}`);
      const single = words?.filter((word) => word.includes('_')) ?? [];
      expect(names(tools), name).to.include.members(single);
      expect(names(tools), name).not.to.include.members(GENERIC);
      const found = JSON.stringify(tools).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
      const absent = found.filter((word) => every.includes(word) && !names(tools).includes(word));
      expect(absent, name).to.deep.equal([]);
    }
    expect(names(await list('/mcp/x/all'))).to.deep.equal(every);
    expect(names(await list('/mcp/x/start'))).to.have.length(10);
  });

  it('leave out at readonly what changes or costs something', async () => {
    for (const name of Object.keys(SETS)) {
      const tools = await list(`/mcp/x/${name}/readonly`);
      expect(tools.length, name).to.be.greaterThan(0);
      expect(
        tools.every(({ annotations }) => annotations.readOnlyHint),
        name,
      ).to.equal(true);
    }
    const generic = names(await list('/mcp?tools=lean,read-only'));
    expect(generic).to.deep.equal(['find_operation', 'describe_operation', 'read_operation']);
  });

  it('may be named by ?tools= at /mcp, which has those of start and the four for all', async () => {
    const start = names(await list('/mcp/x/start'));
    expect(names(await list('/mcp'))).to.deep.equal([...start, ...GENERIC]);
    expect(names(await list('/mcp?tools=lean'))).to.deep.equal(GENERIC);
    expect(names(await list('/mcp?tools=start'))).to.deep.equal(start);
    const both = names(await list('/mcp?tools=worker,get_orders'));
    expect(both).to.include.members(['task_browse', 'get_orders']);
    const wrong = await rpc('/mcp?tools=none', 'tools/list');
    expect(wrong.error.data.error).to.equal('validation_error');
  });

  it('leave /api/v1/mcp as it was', async () => {
    for (const query of ['start', 'lean', 'worker']) {
      const { error } = await rpc(`/api/v1/mcp?tools=${query}`, 'tools/list');
      expect(error.data.error, query).to.equal('validation_error');
    }
    expect(names(await list('/api/v1/mcp'))).not.to.include.members(GENERIC);
    const { error } = await rpc('/api/v1/mcp', 'tools/call', { name: 'find_operation' });
    expect(error.message).to.contain('There is no such tool');
  });

  it('show what a key allows', async () => {
    const reader = await platform.keyOf(agent, ['read']);
    expect(names(await list('/mcp/x/start', reader))).to.include('search_assets');
    expect(names(await list('/mcp/x/start', reader))).not.to.include('purchase_product');
  });

  it('come with instructions of six hundred characters or so', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { result } = await rpc('/mcp', 'initialize', params);
    expect(result.instructions).to.equal(INSTRUCTIONS);
    expect(INSTRUCTIONS.length).to.be.within(500, 800);
    const plain = await rpc('/api/v1/mcp', 'initialize', params);
    expect(plain.result.instructions).not.to.contain('find_operation');
  });

  it('find, describe, read and run every operation by four tools', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, { price: 1, items: ['a', 'b'] });
    const found = await call('find_operation', { query: 'buy a product', limit: 3 });
    const operations = found.structuredContent.operations as { name: string; called_by: string }[];
    expect(operations).to.have.length(3);
    expect(operations).to.deep.include.members([
      {
        ...operations.find(({ name }) => name === 'purchase_product')!,
        called_by: 'run_operation',
      },
    ]);
    const described = await call('describe_operation', { name: 'purchase_product' });
    expect(described.structuredContent.input.properties).to.have.property('product_id');

    const read = await call('read_operation', { name: 'get_wallet' });
    expect(read.structuredContent.balance).to.equal(10.5);
    const params = { product_id: id };
    const run = { name: 'purchase_product', params, idempotency_key: 'once' };
    const bought = (await call('run_operation', run)).structuredContent;
    expect(bought.status).to.equal('escrow');
    expect((await call('run_operation', run)).structuredContent).to.deep.equal(bought);
    expect(
      (await call('read_operation', { name: 'get_wallet' })).structuredContent.balance,
    ).to.equal(9.4);
  });

  it('refuse what is no reading, no operation, or not allowed, with the money unchanged', async () => {
    const before = await platform.balance(agent);
    const cases: [string, object, string][] = [
      [
        'read_operation',
        { name: 'purchase_product', params: { product_id: 1 } },
        'validation_error',
      ],
      ['read_operation', { name: 'nothing' }, 'not_found'],
      ['run_operation', { name: 'find_operation' }, 'not_found'],
      ['run_operation', { name: 'run_audit' }, 'not_found'],
      [
        'run_operation',
        { name: 'purchase_product', params: { product_id: 'x' } },
        'validation_error',
      ],
      ['run_operation', {}, 'validation_error'],
      ['find_operation', { query: '' }, 'validation_error'],
    ];
    for (const [name, args, error] of cases) {
      const result = await call(name, args);
      expect(result.isError, JSON.stringify(args)).to.equal(true);
      expect(result.structuredContent.error, JSON.stringify(args)).to.equal(error);
    }
    const reader = await platform.keyOf(agent, ['read']);
    const params = {
      name: 'run_operation',
      arguments: { name: 'purchase_product', params: { product_id: 1 } },
    };
    const { result } = await rpc('/mcp', 'tools/call', params, reader);
    expect(result.structuredContent.error).to.equal('insufficient_scope');
    expect(await platform.balance(agent)).to.equal(before);
  });
});
