import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { connectBySse, openStream, pathOf, type Stream } from './sse_client.ts';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('MCP by HTTP with SSE (2024-11-05)', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let other: ApiProcess;
  let otherUrl: string;
  const opened: Stream[] = [];
  const clients: Client[] = [];

  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS } });
    other = launch(platform);
    otherUrl = await urlOf(other);
    const { key } = await platform.agent();
    const ask = () => openStream(otherUrl, key);
    (await eventually(ask, ({ status }) => status === 200)).close(); // Redis is there
  });
  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.close();
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  after(async () => {
    other.child.kill('SIGKILL');
    await platform.close();
  });

  async function open(key?: string, { base = platform.url, headers = {} } = {}): Promise<Stream> {
    const stream = await openStream(base, key, headers);
    opened.push(stream);
    return stream;
  }

  const post = (base: string, path: string, key: string | undefined, message: unknown) =>
    fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(message),
    });

  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: string }).error,
  ];

  it('sells to the v1 client whose messages reach any API process', async () => {
    const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 10 })];
    const { id: product_id } = await platform.product(seller);
    const client = await connectBySse(buyer.key, platform.url, [otherUrl, platform.url]);
    clients.push(client);
    expect((await client.listTools()).tools.map(({ name }) => name)).to.include('get_wallet');
    const bought = await client.callTool({ name: 'purchase_product', arguments: { product_id } });
    expect(bought.structuredContent).to.include({ status: 'escrow', product_id });
    const refused = await client.callTool({ name: 'get_product', arguments: { product_id: 99 } });
    expect(refused).to.deep.include({ isError: true });
    const read = await client.readResource({ uri: 'marketplace://wallet' });
    expect(JSON.parse((read.contents[0] as { text: string }).text).in_escrow).to.equal(1.1);
  });

  it('holds its stream in one process and gets messages from another', async () => {
    const { key } = await platform.agent();
    const stream = await open(key, { base: otherUrl });
    expect(stream.status).to.equal(200);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream');
    const path = await pathOf(stream);
    expect(path).to.match(/^\/api\/v1\/mcp\/messages\?sessionId=[0-9a-f-]{36}$/);
    const sent = await post(platform.url, path, key, rpc('ping'));
    expect([sent.status, await sent.text()]).to.deep.equal([202, 'Accepted']);
    const { event, data } = (await stream.next())!;
    expect(event).to.equal('message');
    expect(JSON.parse(data)).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('opens no stream without a key or at another host', async () => {
    const codeAt = async (key?: string, headers = {}) => {
      const stream = await platform.request('GET /api/v1/mcp/sse', { key, headers });
      return [stream.status, stream.body.error];
    };
    expect(await codeAt()).to.deep.equal([401, 'authentication_required']);
    expect(await codeAt('vnx_wrong')).to.deep.equal([401, 'invalid_key']);
    const { key } = await platform.agent();
    const origin = { origin: 'https://evil.example.com' };
    expect(await codeAt(key, origin)).to.deep.equal([403, 'forbidden']);
  });

  it('answers for a session of another key as for one that does not exist', async () => {
    const [{ key }, thief] = [await platform.agent(), await platform.agent()];
    const stream = await open(key);
    const path = await pathOf(stream);
    const missing = path.replace(/[0-9a-f-]{36}/, '01234567-89ab-4def-8123-456789abcdef');
    const answers = [];
    for (const [at, by] of [
      [path, thief.key],
      [path, await platform.keyOf({ key }, ['read'])],
      [missing, key],
      ['/api/v1/mcp/messages?sessionId=*', key],
      ['/api/v1/mcp/messages', key],
    ] as const) {
      const response = await post(platform.url, at, by, rpc('tools/call', { name: 'get_wallet' }));
      const { message, error } = (await response.json()) as Record<string, string>;
      answers.push(`${response.status} ${error} ${message}`);
    }
    expect(new Set(answers).size).to.equal(1);
    expect(answers[0]).to.match(/^404 not_found /);
    expect(await codeOf(await post(platform.url, path, undefined, rpc('ping')))).to.deep.equal([
      401,
      'authentication_required',
    ]);
    await post(platform.url, path, key, { ...rpc('ping'), id: 'mine' });
    expect(JSON.parse((await stream.next())!.data).id).to.equal('mine');
  });

  it('holds no more than five streams for an agent, counted over all processes', async () => {
    const [{ key }, third] = [await platform.agent(), launch(platform)];
    try {
      const bases = [otherUrl, await urlOf(third)];
      const isOpen = ({ status }: Stream) => status === 200;
      await eventually(() => open(key, { base: bases[1]! }), isOpen); // Redis is there
      const at = (n: number) => open(key, { base: bases[n % 2]! });
      const streams = await Promise.all(Array.from({ length: 7 }, (_, n) => at(n)));
      expect(streams.filter(isOpen)).to.have.lengthOf(4);
      const refused = streams.filter(({ status }) => status === 429);
      expect(refused).to.have.lengthOf(3);
      expect(await refused[0]!.refusal()).to.deep.include({
        error: 'rate_limited',
        details: { streams_max: 5 },
      });
      const other = await platform.agent();
      expect((await open(other.key, { base: otherUrl })).status).to.equal(200);

      streams.find(isOpen)!.close();
      await eventually(() => at(0), isOpen);
      expect((await at(1)).status).to.equal(429);
      third.child.kill('SIGKILL');
      // Its leases expire after six seconds.
      await eventually(() => at(0), isOpen);
    } finally {
      third.child.kill('SIGKILL');
    }
  });

  it('refuses what is no message', async () => {
    const { key } = await platform.agent();
    const path = await pathOf(await open(key));
    for (const message of [{}, [], [7], 'x', { jsonrpc: '2.0', method: 7 }, null]) {
      const { status } = await post(platform.url, path, key, message);
      expect(status, JSON.stringify(message)).to.equal(400);
    }
  });

  it('answers HEAD without holding a stream', async () => {
    const { key } = await platform.agent();
    for (let n = 0; n < 7; n += 1) {
      const { status } = await platform.request('HEAD /api/v1/mcp/sse', { key });
      expect(status).to.equal(200);
    }
  });

  it('sends progress while a job is waited for', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 10 });
    const { id: product_id } = await platform.product(seller);
    await platform.pauseWorkers();
    try {
      const path = await pathOf(await open(buyer.key));
      const stream = opened.at(-1)!;
      const params = {
        name: 'purchase_product',
        arguments: { product_id, wait: 2 },
        _meta: { progressToken: 'mine' },
      };
      await post(platform.url, path, buyer.key, rpc('tools/call', params));
      const report = JSON.parse((await stream.next())!.data);
      expect(report).to.deep.include({ method: 'notifications/progress' });
      expect(report.params).to.include({ progressToken: 'mine', total: 2 });
      expect(report.params.progress).to.be.oneOf([1, 2]); // The second that it is.
    } finally {
      await platform.resumeWorkers();
    }
  });

  it('refuses with service_unavailable when Redis is away', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const { key } = await cut.agent();
      const session = '?sessionId=01234567-89ab-4def-8123-456789abcdef';
      for (const [route, body] of [
        ['GET /api/v1/mcp/sse', undefined],
        [`POST /api/v1/mcp/messages${session}`, rpc('ping')],
      ] as const) {
        const { status, body: answer } = await cut.request(route, { key, ...(body && { body }) });
        expect([status, answer.error], route).to.deep.equal([503, 'service_unavailable']);
      }
    } finally {
      await cut.close();
    }
  });

  it('ends its streams when its process is to end', async () => {
    const { key } = await platform.agent();
    const ending = launch(platform);
    try {
      const base = await urlOf(ending);
      const ask = () => open(key, { base });
      const stream = await eventually(ask, ({ status }) => status === 200); // Redis is there
      await pathOf(stream);
      ending.child.kill('SIGTERM');
      expect(await stream.next()).to.equal(undefined);
      expect((await ending.exit)[0]).to.equal(0);
    } finally {
      ending.child.kill('SIGKILL');
    }
  });
});
