import { expect } from 'chai';

import { listTools } from '../../../api/mcp/tools.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { openStream, pathOf } from './sse_client.ts';

const MESSAGES_MAX = 50;
const CALLS_MAX = 4;

const rpc = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const cancelled = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('a batch of JSON-RPC', () => {
  let platform: TestPlatform;
  let agent: { key: string };

  before(async () => {
    platform = await TestPlatform.open({
      workers: false,
      env: { CALLS_MAX: String(CALLS_MAX) },
    });
    agent = await platform.agent({ usd: 10 });
  });
  after(() => platform.close());

  const post = (body: object, key?: string) =>
    platform.request('POST /api/v1/mcp', { ...(key && { key }), body });

  it('refuses a message with text that nobody can store by its id', async () => {
    const params = { name: 'search_assets', arguments: { query: 'a\u0000b' } };
    const message = rpc('mine', 'tools/call', params);
    const one = await post(message, agent.key);
    expect([one.status, one.body.id, one.body.error.code]).to.deep.equal([200, 'mine', -32602]);
    expect(one.body.error.message).to.include('/params/arguments/query');
    const { status, body } = await post([rpc(1, 'ping'), message], agent.key);
    expect([status, body[1]]).to.deep.equal([200, one.body]);
  });

  it('leaves no permit behind when one of its requests is cancelled', async () => {
    for (let n = 0; n < 3 * CALLS_MAX; n += 1) {
      const { status, body } = await post([rpc(1, 'tools/list'), cancelled(1)]);
      expect(status).to.equal(200);
      expect(body).to.have.length(1);
    }
    expect(platform.context.limiters.calls.isFull()).to.equal(false);
    expect((await platform.request('GET /api/v1/wallet', agent)).status).to.equal(200);
  });

  it('answers each request, also of those that have one id', async () => {
    const call = (name: string) => rpc(7, 'tools/call', { name, arguments: {} });
    const { body } = await post([call('get_wallet'), call('agent_me'), rpc(7, 'ping')], agent.key);
    expect(body.map(({ id }: { id: number }) => id)).to.deep.equal([7, 7, 7]);
    expect(body[0].result.structuredContent).to.have.property('balance');
    expect(body[1].result.structuredContent).to.have.property('agent_id');
    expect(body[2].result).to.deep.equal({});
  });

  it('holds 50 messages at most, posted to either transport', async () => {
    const pings = (count: number) => Array.from({ length: count }, (_, n) => rpc(n, 'ping'));
    expect((await post(pings(MESSAGES_MAX))).body).to.have.length(MESSAGES_MAX);
    const { status, body } = await post(pings(MESSAGES_MAX + 1));
    expect([status, body.error.code]).to.deep.equal([400, -32600]);
    expect(body.error.message).to.contain('50');

    const open = () => openStream(platform.url, agent.key);
    const stream = await eventually(open, ({ status: opened }) => opened === 200);
    const path = await pathOf(stream);
    const refused = await platform.request(`POST ${path}`, {
      key: agent.key,
      body: pings(MESSAGES_MAX + 1),
    });
    expect([refused.status, refused.body.error.code]).to.deep.equal([400, -32600]);
    stream.close();
  });

  it('is refused as a whole if all of it needs a key, if it is empty or too large', async () => {
    const reading = rpc(2, 'resources/read', { uri: 'marketplace://wallet' });
    const keyless = await post([reading, rpc(3, 'prompts/get')]);
    expect(keyless.status).to.equal(401);
    expect(keyless.body.error.data.error).to.equal('authentication_required');
    const open = () => openStream(platform.url, agent.key);
    const stream = await eventually(open, ({ status: opened }) => opened === 200);
    for (const path of ['/api/v1/mcp', await pathOf(stream)]) {
      const { status, body } = await platform.request(`POST ${path}`, { ...agent, body: [] });
      expect([status, body.error?.code], path).to.deep.equal([400, -32600]);
    }
    stream.close();
    const large = await post([rpc(1, 'ping', { text: 'x'.repeat(300_000) })], agent.key);
    expect(large.status).to.equal(413);
    expect(large.body.error.data.error).to.equal('payload_too_large');
  });

  it('is sent the same bytes for each list of tools in it', async () => {
    const lists = Array.from({ length: MESSAGES_MAX }, (_, n) => rpc(n, 'tools/list'));
    const { body: one } = await post(lists[0]!);
    const { body } = await post(lists);
    expect(body).to.have.length(MESSAGES_MAX);
    expect(body.at(-1)).to.deep.equal({ ...one, id: MESSAGES_MAX - 1 });
    const { json } = listTools(undefined, undefined);
    expect(listTools(undefined, undefined).json).to.equal(json);
    expect(JSON.parse(json.toString())).to.deep.equal(one.result.tools);
  });

  it('of notifications alone is accepted', async () => {
    const { status, text } = await post([cancelled(1), cancelled(2)]);
    expect([status, text]).to.deep.equal([202, '']);
  });
});
