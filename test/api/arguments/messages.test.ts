import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

/** Messages of JSON-RPC that differ from the letter, as clients really send them. */
describe('a message of JSON-RPC', () => {
  let platform: TestPlatform;
  let agent: { key: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent({ usd: 5 });
  });
  after(() => platform.close());

  const post = (body: object | string, key: string | undefined = agent.key, path = '/api/v1/mcp') =>
    platform.request(`POST ${path}`, { key, body });
  const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    ...(params !== undefined && { params }),
  });

  it('has no params in each way to say so', async () => {
    const methods = 'ping tools/list prompts/list resources/list resources/templates/list';
    for (const method of methods.split(' ')) {
      for (const params of [undefined, null, [], '', {}]) {
        const { status, body } = await post(rpc(method, params));
        expect([status, body.id], `${method} ${JSON.stringify(params)}`).to.deep.equal([200, 1]);
        expect(body.result, method).to.be.an('object');
      }
    }
    for (const args of [undefined, null, [], '', '{}']) {
      const { body } = await post(rpc('tools/call', { name: 'get_wallet', arguments: args }));
      expect(body.result.structuredContent.balance, JSON.stringify(args)).to.equal(5.5);
    }
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const params of [null, [], '']) {
      expect((await post({ ...note, params })).status).to.equal(202);
    }
  });

  it('begins a session without capabilities, a name or a version', async () => {
    const clientInfo = { name: 'x', version: '1' };
    for (const [params, version] of [
      [{ protocolVersion: '2025-06-18', clientInfo }, '2025-06-18'],
      [{ protocolVersion: '2025-06-18', capabilities: null, clientInfo: null }, '2025-06-18'],
      [{ protocolVersion: '2025-06-18', clientInfo: { name: 'x' } }, '2025-06-18'],
      [{ protocolVersion: 20250618 }, '2024-11-05'],
      [undefined, '2024-11-05'],
    ] as const) {
      const { body } = await post(rpc('initialize', params));
      expect(body.result?.protocolVersion, JSON.stringify(body)).to.equal(version);
    }
  });

  it('is answered under its id, whatever the id and whatever is wrong', async () => {
    for (const id of [
      '0',
      '-7',
      '""',
      '"abc"',
      '1.5',
      '9007199254740993',
      '-9007199254740993123',
    ]) {
      for (const rest of [
        '"method":"ping"',
        '"method":"tools/list"',
        '"method":"tools/call","params":{"name":"get_wallet"}',
        '"method":"tools/call","params":{"name":"nothing_like_it"}',
        '"method":7',
        '"method":"tools/call","params":"x"',
      ]) {
        const { text } = await post(`{"jsonrpc":"2.0","other":{"id":5},"id":${id},${rest}}`);
        expect(text.includes(`"id":${id}`), `${rest}: ${text.slice(0, 200)}`).to.equal(true);
      }
    }
    expect((await post({ id: 5, method: 'ping' })).body).to.deep.include({ id: 5 });
    expect((await post({ jsonrpc: '2.0', id: 5 })).body).to.deep.include({ id: 5 });
    for (const id of [null, true, {}]) {
      const { status, body } = await post(rpc('ping', undefined, id));
      expect([status, body.id, body.error.code]).to.deep.equal([400, null, -32600]);
    }
    const batch = '[7,{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"},{"id":[1,2]}]';
    const { text } = await post(batch);
    expect(text).to.contain('"id":9007199254740993}');
  });

  it('spoils no other message of its batch', async () => {
    const bad = [{ jsonrpc: '2.0', id: 2 }, 7, rpc('tools/list', { cursor: 'x' }, 3)];
    const text = rpc('tools/call', { name: 'search_assets', arguments: { query: '\u0000' } }, 4);
    const call = rpc('tools/call', { name: 'get_wallet', arguments: null }, 5);
    const { status, body } = await post([rpc('ping'), ...bad, text, call]);
    expect(status).to.equal(200);
    const told = (body as { id: unknown; error?: { code: number } }[]).map(({ id, error }) => [
      id,
      error?.code,
    ]);
    expect(told).to.deep.equal([
      [1, undefined],
      [2, -32600],
      [null, -32600],
      [3, -32602],
      [4, -32602],
      [5, undefined],
    ]);
    expect(body[5].result.structuredContent.balance).to.equal(5.5);
  });

  it('names what is wrong, without the report of a validator', async () => {
    for (const [message, words] of [
      [rpc('tools/list', { cursor: 'nope' }), '/params/cursor'],
      [rpc('resources/list', { cursor: 7 }), '/params/cursor'],
      [rpc('tools/call'), '/params/name'],
      [rpc('tools/call', { name: 7 }), '/params/name'],
      [rpc('tools/call', { name: 'get_wallet', arguments: 'all' }), '/params/arguments'],
      [rpc('tools/call', { name: 'get_wallet', arguments: [1] }), '/params/arguments'],
      [rpc('tools/call', { name: 'get_wallet', _meta: 'x' }), '/params/_meta'],
      [rpc('tools/call', { name: 'get_wallet', _meta: { progressToken: {} } }), '/params'],
      [rpc('resources/read', {}), '/params'],
      [rpc('resources/read', { uri: 7 }), '/params/uri'],
      [rpc('prompts/get', { name: 7 }), '/params/name'],
      [rpc('tools/call', { name: 'getWallet' }), 'did you mean get_wallet?'],
      [rpc('tools/call', { name: 'get_wallt' }), 'get_wallet'],
    ] as const) {
      const { status, body } = await post(message);
      expect([status, body.id, body.error?.code], JSON.stringify(message)).to.deep.equal([
        200, 1, -32602,
      ]);
      expect(body.error.message)
        .to.contain(words)
        .and.not.match(/expected|invalid_type|\[\s/);
    }
    const called = (tool: string) => post({ tool, params: {} }, agent.key, '/api/v1/mcp/call');
    expect((await called('get-wallet')).body.structuredContent.message).to.contain('get_wallet?');
  });

  it('without a key is told that there are no prompts, and asked for a key where it is alone', async () => {
    for (const method of ['prompts/list', 'resources/list', 'logging/setLevel']) {
      const { status, body } = await post(rpc(method, {}), '');
      expect([status, body.error.code], method).to.deep.equal([200, -32601]);
      expect((await post(rpc(method, {}), '', '/mcp')).status, method).to.equal(401);
    }
    const wallet = rpc('resources/read', { uri: 'marketplace://wallet' }, 3);
    expect((await post(wallet, '')).status).to.equal(401);
    expect((await post([wallet, { jsonrpc: '2.0', method: 'x' }], '')).status).to.equal(401);
    const { status, body } = await post([rpc('ping'), wallet], '');
    expect([status, body.length, body[1].id]).to.deep.equal([200, 2, 3]);
    expect(body[1].error.data.error).to.equal('authentication_required');
    expect(JSON.stringify(body)).not.to.contain('balance');
  });
});
