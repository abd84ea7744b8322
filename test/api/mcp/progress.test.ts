import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('progress of MCP calls', () => {
  let platform: TestPlatform;
  let buyer: { key: string };
  let product_id: number;

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    buyer = await platform.agent({ usd: 10 });
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    product_id = (await platform.product(await platform.agent(), goods)).id;
  });
  afterEach(() => platform.pauseWorkers());
  after(() => platform.close());

  const callOf = (wait: number, _meta: object = { progressToken: 7 }) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'purchase_product', arguments: { product_id, wait }, _meta },
  });

  it('reaches the v1 client while its job is waited for, and then the result', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { authorization: `Bearer ${buyer.key}` };
    const transport = new StreamableHTTPClientTransport(new URL('/api/v1/mcp', platform.url), {
      requestInit: { headers },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const reports: Progress[] = [];
    const { arguments: args } = callOf(20).params;
    const startedAt = performance.now();
    const result = await client.callTool({ name: 'purchase_product', arguments: args }, undefined, {
      onprogress(progress) {
        reports.push(progress);
        if (reports.length === 2) void platform.resumeWorkers();
      },
    });
    expect(result.structuredContent).to.include({ status: 'escrow', product_id });
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(reports.map(({ total }) => total)).to.deep.equal(reports.map(() => 20));
    expect(reports[0]!.progress).to.be.at.least(1);
    expect(reports[1]!.progress).to.be.within(reports[0]!.progress + 1, Math.round(seconds));
    await client.close();
  });

  it('is not sent to clients that accept JSON only: they get one answer', async () => {
    for (const accept of ['application/json', '*/*']) {
      const reply = await platform.request('POST /api/v1/mcp', {
        key: buyer.key,
        body: callOf(2),
        headers: { accept },
      });
      expect(reply.headers.get('content-type')).to.match(/^application\/json/);
      expect(reply.body.result.structuredContent).to.include({ status: 'pending' });
    }
  });

  it('makes no stream where the caller did not ask for it', async () => {
    const reply = await platform.request('POST /api/v1/mcp', {
      key: buyer.key,
      body: callOf(0, {}),
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(reply.headers.get('content-type')).to.match(/^application\/json/);
  });

  it('has a token that is a text or a whole number, or the call is refused', async () => {
    for (const progressToken of [1.5, true, {}]) {
      const body = callOf(0, { progressToken });
      const reply = await platform.request('POST /api/v1/mcp', { key: buyer.key, body });
      const message = '/params/_meta/progressToken must be a text or a whole number.';
      expect(reply.body).to.deep.equal({ jsonrpc: '2.0', id: 1, error: { code: -32602, message } });
    }
  });

  it('is not sent for calls that are answered at once', async () => {
    const reply = await platform.request('POST /api/v1/mcp', {
      key: buyer.key,
      body: { ...callOf(0), params: { name: 'get_wallet', _meta: { progressToken: 7 } } },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(reply.headers.get('content-type')).to.equal('text/event-stream');
    const events = reply.text.match(/^data: \{.*$/gm)!;
    expect(events).to.have.length(1);
    expect(JSON.parse(events[0]!.slice(6)).result.structuredContent).to.have.property('balance');
  });
});
