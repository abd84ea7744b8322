// test:all: an API is filled with calls that wait.
import { expect } from 'chai';
import pg from 'pg';

import type { Limiter } from '../../shared/platform/limiter.ts';
import { openStream, pathOf } from '../api/mcp/sse_client.ts';
import { eventually, type TestPlatform, type Reply } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { buy, openMarket, expectConsistent, type Market } from './market.ts';

const CALLS_MAX = 6;
const rpc = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/**
 * PostgreSQL answers none of the first calls, so they stay in flight for as long as a test wants.
 */
describe('an API with as many calls in flight as it accepts', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let market: Market;
  let superuser: pg.Client;
  before(async () => {
    platform = await openPlatform({ env: { CALLS_MAX: String(CALLS_MAX) } });
    market = await openMarket(platform);
    const url = new URL(platform.postgres);
    url.pathname = `/${platform.name}`;
    superuser = new pg.Client({ connectionString: url.href });
    await superuser.connect();
  });
  let idle: TestPlatform | undefined;
  afterEach(endChildren);
  after(async () => {
    await superuser.end();
    await Promise.all([platform.close(), idle?.close()]);
  });

  /** Every statement that needs this lock waits until `unlock`. */
  async function lock(table: string, mode: string) {
    await superuser.query('begin');
    await superuser.query(`lock table ${table} in ${mode} mode`);
  }
  const unlock = () => superuser.query('commit');
  const untilFull = (limiter: Limiter) => eventually(async () => limiter.isFull(), Boolean);

  const read = () => platform.request('GET /api/v1/wallet', { key: market.buyer.key });
  const tool = (name: string, args: object) =>
    platform.request('POST /api/v1/mcp/call', {
      key: market.buyer.key,
      body: { tool: name, params: args },
    });
  const message = (name: string, args: object, url = platform.url, path = '/api/v1/mcp') =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${market.buyer.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(rpc(name, args)),
    });

  const replyOf = async (call: Promise<Response>) => {
    const response = await call;
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  function isRefused({ status, headers, body }: Pick<Reply, 'status' | 'headers' | 'body'>) {
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    expect(body).to.include({ success: false, error: 'queue_overloaded', retryable: true });
  }

  it('refuses further calls on every interface, and still serves health checks and pages', async () => {
    const stream = await openStream(platform.url, market.buyer.key);
    const path = await pathOf(stream);
    const other = await child(platform, 'test/faults/api.ts');
    const before = await platform.query('select count(*)::int as n from job where agent_id > 0');

    await lock('policy', 'access exclusive');
    const first = Array.from({ length: CALLS_MAX }, read);
    await untilFull(platform.context.limiters.calls);
    isRefused(await read());
    isRefused((await buy(platform, market))!);
    isRefused(
      await platform.request('POST /api/v1/agent/register', {
        body: {
          username: 'one-too-many',
          email: 'one-too-many@example.com',
          password: 'correct horse battery',
        },
      }),
    );
    isRefused(await tool('get_wallet', {}).then(inTool));
    const byMcp = await replyOf(message('get_wallet', {}));
    const { error } = byMcp.body as { error: { data: object } };
    isRefused({ ...byMcp, body: error.data });
    // The stream is at the full API; its message arrives at another API, which is idle.
    expect((await message('get_wallet', {}, other.url, path)).status).to.equal(202);
    const { result } = JSON.parse((await stream.next())!.data);
    expect(result).to.include({ isError: true });
    expect(result.structuredContent).to.include({ error: 'queue_overloaded' });
    for (const page of ['healthz', 'readyz', 'openapi.json', 'llms.txt', 'api-docs']) {
      await eventually(
        () => platform.request(`GET /${page}`), // /readyz waits for half a second only
        ({ status }) => status === 200,
      );
    }
    await unlock();

    for (const reply of await Promise.all(first)) expect(reply.status).to.equal(200);
    expect((await read()).status, 'a permit is free').to.equal(200);
    expect(
      await platform.query('select count(*)::int as n from job where agent_id > 0'),
    ).to.deep.equal(before);
    stream.close();
  });

  it('that wait for jobs still answers reads', async () => {
    await lock('job', 'exclusive');
    const first = Array.from({ length: CALLS_MAX }, () => buy(platform, market));
    await untilFull(platform.context.limiters.jobs);
    const more = { product_id: market.product.id };
    isRefused((await buy(platform, market, { key: 'more' }))!);
    isRefused(await tool('purchase_product', more).then(inTool));
    const { result } = (await (await message('purchase_product', more)).json()) as ToolReply;
    expect(result).to.include({ isError: true });
    expect(result.structuredContent).to.include({ error: 'queue_overloaded' });
    expect((await read()).status).to.equal(200);
    await unlock();

    for (const reply of await Promise.all(first)) expect(reply?.status).to.equal(200);
    expect(await buy(platform, market, { key: 'more' })).to.include({ status: 200 });
    await expectConsistent(platform, CALLS_MAX + 1);
  });

  it('refuses jobs while the latency of their queue is longer than any caller waits', async () => {
    idle = await openPlatform({ workers: false });
    const others = await openMarket(idle);
    const queue = idle.context.queue.queueOf('money');
    await queue.add('purchase_product', { ids: [] }, { timestamp: Date.now() - 30_000 });
    let accepted = 0;
    const until = (status: number) =>
      eventually(
        async () => {
          const reply = await buy(idle!, others, { wait: 0 });
          if (reply!.status === 202) accepted += 1;
          return reply!;
        },
        (reply) => reply.status === status,
      );
    isRefused(await until(503));
    expect(await idle.balance(others.buyer)).to.equal(100.5);
    await queue.drain();
    await until(202);
    await idle.resumeWorkers();
    await expectConsistent(idle, accepted);
  });
});

interface ToolReply {
  result: { isError: boolean; structuredContent: object };
}

/** The structured content of a tool's result, as the body of a reply. */
const inTool = ({ body, ...reply }: Reply): Reply => ({ ...reply, body: body.structuredContent });
