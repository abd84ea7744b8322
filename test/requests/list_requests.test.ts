import { expect } from 'chai';

import { takenBy } from '../../shared/domains/requests/taken_by.ts';
import { childOf } from '../agents/child.ts';
import { owner } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { meet } from '../orders/trade.ts';
import { requestsOf } from './logged.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

describe('list_requests', () => {
  let platform: TestPlatform;
  let root: Agent;
  let child: Agent;
  let grandchild: Agent;
  let outsider: Agent;

  before(async () => {
    platform = await TestPlatform.open();
    root = await platform.agent({ usd: 20 });
    child = await childOf(platform, root);
    grandchild = await childOf(platform, child);
    outsider = await platform.agent({ usd: 20 });
  });
  after(() => platform.close());

  const tool = (name: string, params: object, { key }: { key: string }) =>
    platform.request('POST /api/v1/mcp/call', { key, body: { tool: name, params } });

  it('has a call by REST with its agent, operation, status, time and request id', async () => {
    const since = new Date().toISOString();
    const { headers } = await platform.request('GET /api/v1/wallet', { key: root.key });
    const [found, ...others] = await requestsOf(platform, root, { since });
    expect(others).to.deep.equal([]);
    expect(found).to.include({
      request_id: headers.get('x-request-id'),
      agent_id: root.id,
      agent_name: root.username,
      interface: 'rest',
      operation: 'get_wallet',
      status: 200,
      error: null,
      cost: null,
      calls: 1,
      job_id: null,
      answer: null,
    });
    expect(found.ms).to.be.within(0, 60_000);
    expect(Date.parse(found.at)).to.be.within(Date.parse(since) - 5, Date.now());
  });

  it('has calls by MCP, each message of a batch too', async () => {
    const agent = await platform.agent();
    const message = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const body = [message(1, 'get_wallet', {}), message(2, 'get_order', { order_id: 999_999 })];
    await platform.request('POST /api/v1/mcp', { key: agent.key, body });
    await tool('agent_me', {}, agent);
    const found = await requestsOf(platform, agent);
    const seen = found.map((one) => [one.interface, one.operation, one.status, one.error]);
    expect(seen).to.have.deep.members([
      ['mcp', 'get_wallet', 200, null],
      ['mcp', 'get_order', 404, 'not_found'],
      ['mcp', 'agent_me', 200, null],
    ]);
  });

  it('has what a purchase took once, also if the call is repeated, and its job', async () => {
    const { buyer, product } = await meet(platform, { items: ['a', 'b'] });
    const call = { key: buyer.key, body: { product_id: product.id, max_total_due: 2 } };
    const headers = { 'idempotency-key': `once-${buyer.id}` };
    const first = await platform.request('POST /api/v1/orders', { ...call, headers });
    expect(first.status).to.equal(200);
    await platform.request('POST /api/v1/orders', { ...call, headers });
    const found = await requestsOf(platform, buyer, { operation: 'purchase_product' });
    expect(found.map(({ cost }) => cost)).to.deep.equal([0, first.body.total_due]);
    const [{ id }] = await platform.query('select id from job where agent_id = $1', [buyer.id]);
    expect(found.map(({ job_id }) => job_id)).to.deep.equal([id, id]);
  });

  it('has what metered services took, also of long answers', async () => {
    const text = JSON.stringify('"charged":5');
    const proxies = Array.from({ length: 500 }, (_, n) => ({ id: n, note: text }));
    const body = JSON.stringify({ proxies, count: 500, charged: 0.5 });
    expect(takenBy(body, 'charged')).to.equal(500_000n);
    expect(takenBy('{"charged":0.002}', 'charged')).to.equal(2_000n);
    expect(takenBy('{"charged":null}', 'charged')).to.equal(null);
    expect(takenBy(JSON.stringify({ proxies }), 'charged')).to.equal(null);
  });

  it('has the answers of errors as they were sent, and no input of any call', async () => {
    const agent = await platform.agent();
    const secret = 'a-title-that-nobody-else-should-read';
    const body = { title: secret, price: -1, items: [secret], stock_kind: 'serial_pool' };
    const sent = await platform.request('POST /api/v1/products', { key: agent.key, body });
    expect(sent.status).to.equal(422);
    const [found] = await requestsOf(platform, agent);
    expect(found).to.include({ status: 422, error: 'validation_error', answer: sent.text });
    await platform.product(agent, { items: [secret] });
    await requestsOf(platform, agent);
    const rows = await platform.query('select request::text as text from request');
    expect(rows.filter(({ text }: { text: string }) => text.includes(secret))).to.deep.equal([]);
  });

  it('has the refusal of a job, and no secret that a caller put into a name', async () => {
    const agent = await platform.agent();
    const { product } = await meet(platform, { items: ['a'], price: 900 });
    const call = { key: agent.key, body: { product_id: product.id } };
    const refused = await platform.request('POST /api/v1/orders', call);
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'insufficient_balance']);
    await platform.request(`GET /api/v1/wallet/statement?kind=${agent.key}`, { key: agent.key });
    const named = { key: agent.key, body: { [agent.key]: 1 } };
    await platform.request('POST /api/v1/products', named);
    const found = await requestsOf(platform, agent);
    expect(found.at(-1)).to.include({
      error: 'insufficient_balance',
      answer: refused.text,
      cost: 0,
    });
    expect(found.at(-1).job_id).to.be.a('string');
    expect(JSON.stringify(found)).not.to.include(agent.key);
  });

  it('shows the root its tree, a child itself and those below it, and nobody another tree', async () => {
    for (const agent of [root, child, grandchild, outsider]) {
      await platform.request('GET /api/v1/agent/children', agent);
    }
    const seenBy = async (agent: Agent, query = {}) => {
      const found = await requestsOf(platform, agent, { operation: 'list_children', ...query });
      return [...new Set(found.map(({ agent_id }) => agent_id))].toSorted((a, b) => a - b);
    };
    expect(await seenBy(root)).to.deep.equal([root.id, child.id, grandchild.id]);
    expect(await seenBy(child)).to.deep.equal([child.id, grandchild.id]);
    expect(await seenBy(grandchild)).to.deep.equal([grandchild.id]);
    expect(await seenBy(outsider)).to.deep.equal([outsider.id]);
    expect(await seenBy(root, { agent_id: child.id })).to.deep.equal([child.id, grandchild.id]);
    expect(await seenBy(child, { agent_id: grandchild.id })).to.deep.equal([grandchild.id]);
    for (const [agent, other] of [
      [child, root],
      [grandchild, child],
      [outsider, child],
      [root, outsider],
    ] as const) {
      for (const path of ['requests', 'requests/costs']) {
        const { key } = agent;
        const reply = await platform.request(`GET /api/v1/${path}?agent_id=${other.id}`, { key });
        expect([reply.status, reply.body.error]).to.deep.equal([404, 'not_found']);
      }
    }
  });

  it('shows a person in the console the same, and has no calls of persons', async () => {
    const { agent, browser } = await owner(platform);
    await browser.get('/console/money');
    await platform.request('GET /api/v1/stats');
    await platform.request('GET /api/v1/admin/jobs', { key: 'operator-token-of-the-tests' });
    expect(await requestsOf(platform, agent)).to.deep.equal([]);
    expect(await platform.query('select from request where root_id = 0')).to.deep.equal([]);
  });

  it('filters by operation, status and time, and has pages, newest first', async () => {
    const agent = await platform.agent();
    const { key } = agent;
    for (let n = 0; n < 3; n += 1) {
      await platform.request('GET /api/v1/wallet', { key });
      await platform.request(`GET /api/v1/orders/99999${n}`, { key });
    }
    const kinds = async (query: object) =>
      (await requestsOf(platform, agent, query)).map(({ operation, status }) => [
        operation,
        status,
      ]);
    const errors = Array.from({ length: 3 }, () => ['get_order', 404]);
    expect(await kinds({ status: 'error' })).to.deep.equal(errors);
    expect(await kinds({ status: '4xx' })).to.deep.equal(errors);
    expect(await kinds({ status: '5xx' })).to.deep.equal([]);
    expect(await kinds({ status: '2xx', operation: 'get_order' })).to.deep.equal([]);
    expect(await kinds({ operation: 'get_wallet' })).to.have.length(3);
    const unknown = await platform.request('GET /api/v1/requests?operation=getWallet', { key });
    expect([unknown.status, unknown.body.message]).to.deep.equal([
      422,
      '/operation must be an operation, and getWallet is none: did you mean get_wallet?',
    ]);
    expect(await kinds({ since: new Date(Date.now() + 60_000).toISOString() })).to.deep.equal([]);

    const all = (await requestsOf(platform, agent)).map(({ request_id }) => request_id);
    expect(all).to.have.length(6);
    const paged: string[] = [];
    let cursor = '';
    while (true) {
      const path = `GET /api/v1/requests?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await platform.request(path, { key });
      paged.push(...body.requests.map((one: { request_id: string }) => one.request_id));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    // The calls that asked for the pages come before.
    expect(paged.slice(-all.length)).to.deep.equal(all);
  });

  it('is written by itself within a moment', async () => {
    const agent = await platform.agent();
    await platform.request('GET /api/v1/wallet', { key: agent.key });
    await eventually(
      () => platform.query('select from request where agent_id = $1', [agent.id]),
      (rows: object[]) => rows.length === 1,
    );
  });
});
