import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../faults/children.ts';
import { childOf } from '../agents/child.ts';
import { connectBySse } from '../api/mcp/sse_client.ts';
import { eventually, type Reply, type TestPlatform } from '../harness.ts';

const LIMITS = {
  TRUSTED_HOPS: '1',
  RATE_LIMIT_FREE: '60',
  RATE_LIMIT_BASIC: '90',
  RATE_LIMIT_PRO: 'off',
  RATE_LIMIT_PUBLIC: '50',
};

let addresses = 0;
/** The header of a caller without a key, as a router in front adds it. */
const newAddress = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` });

describe('rate limits', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let others: Child[];
  before(async () => {
    platform = await openPlatform({ env: LIMITS });
    const start = () => child(platform, 'test/faults/api.ts', LIMITS);
    others = await Promise.all([start(), start(), start()]);
  });
  after(async () => {
    await endChildren();
    await platform.close();
  });

  const agent = async () => {
    const { body } = await platform.request('POST /api/v1/agent/register', {
      body: {
        username: `limited${(addresses += 1)}`,
        email: `limited${addresses}@example.com`,
        password: 'correct horse battery',
      },
      headers: newAddress(),
    });
    return { id: body.agent_id as number, key: body.api_key.key as string };
  };
  const me = (key: string) => platform.request('GET /api/v1/agent/me', { key });

  /** Makes calls until the agent has only so many left. */
  async function useUpTo(left: number, key: string): Promise<Reply> {
    for (;;) {
      const reply = await me(key);
      if (leftOf(reply) <= left) return reply;
    }
  }
  const leftOf = ({ headers }: Pick<Reply, 'headers'>) =>
    Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);

  it('let an agent make so many calls a minute, exactly, over four API processes', async () => {
    const { key } = await agent();
    const urls = [platform.url, ...others.map(({ url }) => url)];
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${urls[n % 4]}/api/v1/agent/me`, { headers });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(60);
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(140);
  });

  it('say what is left, and a refusal says when to come again', async () => {
    const { key } = await agent();
    const first = await me(key);
    expect(first.headers.get('ratelimit-policy')).to.equal('"calls";q=60;w=60');
    expect(first.headers.get('ratelimit')).to.match(/^"calls";r=59;t=(60|59)$/);
    expect(first.headers.get('retry-after')).to.equal(null);
    await useUpTo(0, key);
    const { status, body, headers } = await me(key);
    expect([status, body.error, body.retryable]).to.deep.equal([429, 'rate_limited', true]);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).to.be.within(1, 60);
    expect(body.details).to.deep.equal({
      limited_by: 'tree',
      limit: 60,
      used: 60,
      window_seconds: 60,
      retry_after_seconds: seconds,
      resets_at: body.details.resets_at,
    });
    expect(body.details.resets_at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('refuse a purchase without a trace, and its key is free', async () => {
    const [seller, buyer] = [await platform.agent(), await agent()];
    await platform.fund(buyer.id, 10);
    const { id: product_id } = await platform.product(seller);
    const buy = () =>
      platform.request('POST /api/v1/orders', {
        key: buyer.key,
        body: { product_id },
        headers: { 'idempotency-key': 'once' },
      });
    await useUpTo(0, buyer.key);
    const [{ count: before }] = await platform.query('select count(*)::int from job');
    expect((await buy()).body.error).to.equal('rate_limited');
    const [{ count: after }] = await platform.query('select count(*)::int from job');
    expect(after).to.equal(before);
    expect((await audit(platform.context.database)).length).to.equal(0);
    // With a new minute the same call passes.
    await platform.context.queue.redis.del(`${platform.prefix}:calls:${buyer.id}`);
    const [{ url }] = others as [Child];
    const response = await fetch(`${url}/api/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${buyer.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify({ product_id }),
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get('idempotent-replayed')).to.equal(null);
    await response.arrayBuffer();
  });

  it('are of a tree, whichever of its agents calls, exactly, and of no other tree', async () => {
    const [root, other] = [await agent(), await agent()];
    const children = await Promise.all([1, 2, 3].map(() => childOf(platform, root)));
    const keys = [root, ...children].map(({ key }) => key);
    const replies = await Promise.all(Array.from({ length: 80 }, (_, n) => me(keys[n % 4]!)));
    expect(replies.filter(({ status }) => status === 200)).to.have.lengthOf(60);
    expect(replies.filter(({ status }) => status === 429)).to.have.lengthOf(20);
    expect((await me(children[0]!.key)).body.details.limited_by).to.equal('tree');
    expect((await me(other.key)).status).to.equal(200);
  });

  it('rise with the tier of the tree, and the wallet shows them', async () => {
    const root = await agent();
    await platform.fund(root.id, 50);
    const { key } = await childOf(platform, root);
    for (const one of [root.key, key]) {
      const { headers, body } = await platform.request('GET /api/v1/wallet', { key: one });
      expect(headers.get('ratelimit-policy')).to.equal('"calls";q=90;w=60');
      expect(body).to.deep.include({
        tier: 'basic',
        rate_limit: { limit: 90, window_seconds: 60 },
      });
    }
    const pro = await agent();
    await platform.fund(pro.id, 1000);
    const { headers, body } = await platform.request('GET /api/v1/wallet', { key: pro.key });
    expect(headers.get('ratelimit-policy')).to.equal(null);
    expect(body.rate_limit).to.equal(null);
  });

  it('are of each address where no key is needed, and of none for operators', async () => {
    const info = (headers: Record<string, string>) =>
      platform.request('GET /api/v1/proxy/info', { headers });
    const address = newAddress();
    const { key } = await agent();
    for (let left = 49; left >= 0; left -= 1) expect(leftOf(await info(address))).to.equal(left);
    const refused = await info(address);
    expect([refused.status, refused.body.details.limited_by]).to.deep.equal([429, 'address']);
    expect((await info(newAddress())).status, 'another address').to.equal(200);
    const own = await platform.request('GET /api/v1/agent/me', { key, headers: address });
    expect(own.status, 'with a key').to.equal(200);
    const operator = { key: platform.config.agents.operators[0]!.token, headers: address };
    const { status, headers } = await platform.request('GET /api/v1/admin/disputes', operator);
    expect([status, headers.get('ratelimit')]).to.deep.equal([200, null]);
  });

  const mcp = (key: string | undefined, body: object, headers: Record<string, string> = {}) =>
    platform.request('POST /api/v1/mcp', { ...(key && { key }), body, headers });
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
  const tool = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'agent_me', arguments: {} },
  });

  it('count each request of MCP once, whether it calls a tool or not', async () => {
    const { key } = await agent();
    expect(leftOf(await mcp(key, list(1)))).to.equal(59);
    expect(leftOf(await mcp(key, tool(1)))).to.equal(58);
    expect(leftOf(await mcp(key, [list(1), tool(2), tool(3)]))).to.equal(55);
    const keyless = await mcp(undefined, list(1), newAddress());
    expect(leftOf(keyless)).to.equal(49);
    const batch = Array.from({ length: 50 }, (_, n) => tool(n));
    expect(leftOf(await mcp(key, batch))).to.equal(5);
    const refused = await mcp(key, batch);
    expect(refused.status).to.equal(429);
    expect(refused.body.error.data).to.include({ error: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('count a call without JSON-RPC, of a tool or of none', async () => {
    const { key } = await agent();
    const call = (name: string) =>
      platform.request('POST /api/v1/mcp/call', { key, body: { tool: name, params: {} } });
    expect(leftOf(await call('agent_me'))).to.equal(59);
    expect(leftOf(await call('no_such_tool'))).to.equal(58);
    await useUpTo(0, key);
    const { status, body } = await call('agent_me');
    expect([status, body.structuredContent.error]).to.deep.equal([429, 'rate_limited']);
  });

  it('count the messages of a stream where they are posted', async () => {
    const { key } = await agent();
    const client = await eventually(
      () => connectBySse(key, platform.url, [others[0]!.url]).catch(() => undefined),
      Boolean,
    );
    const before = leftOf(await me(key));
    await client!.callTool({ name: 'agent_me', arguments: {} });
    expect(leftOf(await me(key))).to.equal(before - 2);
    await useUpTo(0, key);
    const refused = await client!
      .callTool({ name: 'agent_me', arguments: {} })
      .catch((error: unknown) => String(error));
    expect(refused).to.include('rate_limited');
    await client!.close();
  });
});
