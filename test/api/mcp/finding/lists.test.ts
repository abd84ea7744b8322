import { expect } from 'chai';

import { TestPlatform } from '../../../harness.ts';

const TOKENS_MAX = 2_000;
const CHARS_PER_TOKEN = 4;

describe('a list of tools', () => {
  let platform: TestPlatform;
  let agent: { key: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent();
  });
  after(() => platform.close());

  const post = (path: string, id: unknown = 1, key: string | undefined = agent.key) =>
    platform.request(`POST ${path}`, { key, body: { jsonrpc: '2.0', id, method: 'tools/list' } });
  const list = async (path: string, key?: string) => (await post(path, 1, key)).body.result.tools;

  it('has a path, with and without a key', async () => {
    const core = await list('/api/v1/mcp?tools=core');
    expect(await list('/api/v1/mcp/core')).to.deep.equal(core);
    expect(await list('/api/v1/mcp/core', '')).to.deep.equal(core);
    expect(await list('/mcp/core')).to.deep.equal(core);
    expect((await post('/mcp/core', 1, '')).status).to.equal(401);
    for (const name of ['lean', 'start', 'buyer', 'all']) {
      const tools = await list(`/mcp/${name}`);
      expect(await list(`/api/v1/mcp/${name}`), name).to.deep.equal(tools);
      expect(await list(`/mcp/x/${name}`), name).to.deep.equal(tools);
    }
    const known = await platform.request('GET /.well-known/oauth-protected-resource/mcp/lean');
    expect(new URL(known.body.resource).pathname).to.equal('/mcp/lean');
    expect((await post('/api/v1/mcp/nothing')).status).to.equal(404);
  });

  it('that is lean takes few tokens, and its tools call every operation', async () => {
    const tools = await list('/api/v1/mcp/lean');
    expect(tools.length).to.be.at.most(15);
    expect(JSON.stringify(tools).length / CHARS_PER_TOKEN).to.be.at.most(TOKENS_MAX);
    const params = { name: 'read_operation', arguments: { name: 'get_wallet', params: '{}' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const reply = await platform.request('POST /api/v1/mcp/lean', { key: agent.key, body });
    expect(reply.body.result.structuredContent.balance).to.equal(0.5);
  });

  it('shows the fields of an object once in an output', async () => {
    const wallet = (await list('/api/v1/mcp')).find(
      ({ name }: { name: string }) => name === 'get_wallet',
    );
    const { held, incoming } = wallet.outputSchema.anyOf[0].properties;
    expect(JSON.stringify(held)).to.contain('"Outcome if nobody acts."');
    expect(JSON.stringify(incoming)).to.contain('"Same fields as above."');
  });

  it('is sent compressed to those that accept it, under the id of the request', async () => {
    const sent = async (encoding: string, id: unknown) => {
      const answer = await fetch(`${platform.url}/api/v1/mcp`, {
        method: 'POST',
        headers: { 'accept-encoding': encoding },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
      });
      return { headers: answer.headers, body: (await answer.json()) as { id: unknown } };
    };
    const plain = await sent('identity', 1);
    expect(plain.headers.get('content-encoding')).to.equal(null);
    for (const id of [1, 'a', 1]) {
      const { headers, body } = await sent('gzip', id);
      expect(headers.get('content-encoding')).to.equal('gzip');
      expect(headers.get('etag')).to.equal(plain.headers.get('etag'));
      expect(headers.get('vary')).to.contain('Accept-Encoding');
      expect(body).to.deep.equal({ ...plain.body, id });
    }
    const core = await post('/api/v1/mcp/core');
    expect(core.headers.get('etag')).to.be.a('string').not.equal(plain.headers.get('etag'));
  });
});
