import { expect } from 'chai';

import { fingerprintOf } from '../../../shared/jobs/jobs.ts';
import { childOf } from '../../agents/child.ts';
import { TestPlatform } from '../../harness.ts';
import { act, openDeal } from '../../orders/deal.ts';

describe('an Idempotency-Key', () => {
  let platform: TestPlatform;
  let buyer: { key: string };
  let product_id: number;

  before(async () => {
    platform = await TestPlatform.open();
    const seller = await platform.agent();
    buyer = await platform.agent({ usd: 1_000 });
    ({ id: product_id } = await platform.product(seller, {
      stock_kind: 'unlimited',
      content: 'It.',
    }));
  });
  after(() => platform.close());

  const buy = (headers: Record<string, string>, body: object = { product_id }) =>
    platform.request('POST /api/v1/orders', { key: buyer.key, body, headers });

  const bytes = async (reply: Promise<{ text: string }>) => (await reply).text;

  it('answers a repeat with the same bytes, and marks it as a repeat', async () => {
    const headers = { 'idempotency-key': 'bytes' };
    const first = await buy(headers);
    const second = await buy(headers);
    expect(first.headers.get('idempotent-replayed')).to.equal(null);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.text).to.equal(first.text);
    const [job] = await platform.query(`select id from job where key = 'bytes'`);
    const { body } = await platform.request(`GET /api/v1/jobs/${job.id}`, buyer);
    expect(JSON.stringify(body.result)).to.equal(first.text);
  });

  it('is taken from X-Idempotency-Key too, at REST and at MCP; two that differ are refused', async () => {
    const before = await platform.balance(buyer);
    const bought = await buy({ 'x-idempotency-key': 'spelled' });
    const params = { name: 'purchase_product', arguments: { product_id } };
    const called = async (headers: Record<string, string>) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const reply = await platform.request('POST /api/v1/mcp', {
        key: buyer.key,
        body: message,
        headers,
      });
      return reply.body.result.structuredContent;
    };
    const tool = { tool: 'purchase_product', params: { product_id } };
    const once = { key: buyer.key, body: tool, headers: { 'x-idempotency-key': 'spelled' } };
    const orders = [
      bought.body.order_id,
      (await buy({ 'idempotency-key': 'spelled' })).body.order_id,
      (await called({ 'x-idempotency-key': 'spelled' })).order_id,
      (await platform.request('POST /api/v1/mcp/call', once)).body.structuredContent.order_id,
    ];
    expect(orders).to.deep.equal(Array(4).fill(orders[0]));
    const both = { 'x-idempotency-key': 'spelled', 'idempotency-key': 'other' };
    expect((await buy(both)).status).to.equal(422);
    expect(await called(both)).to.include({ error: 'validation_error' });
    expect((before - (await platform.balance(buyer))).toFixed(6)).to.equal(
      bought.body.total_due.toFixed(6),
    );
  });

  it('makes one purchase of ten simultaneous ones', async () => {
    const before = await platform.balance(buyer);
    const headers = { 'idempotency-key': 'ten' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => bytes(buy(headers))));
    expect(new Set(answers).size).to.equal(1);
    expect(before - (await platform.balance(buyer))).to.be.closeTo(1.1, 1e-9);
  });

  it('repeats a refusal with its first request id and the status it had', async () => {
    const headers = { 'idempotency-key': 'refused' };
    const missing = { product_id: 2 ** 31 - 1 };
    const first = await buy(headers, missing);
    const second = await buy(headers, missing);
    expect([second.status, second.text]).to.deep.equal([404, first.text]);
    expect(second.headers.get('x-request-id')).to.not.equal(first.body.request_id);
  });

  it('stands for one call: another one is idempotency_conflict', async () => {
    const headers = { 'idempotency-key': 'one-call' };
    await buy(headers);
    const { status, body } = await buy(headers, { product_id, quantity: 2 });
    expect([status, body.error]).to.deep.equal([422, 'idempotency_conflict']);
  });

  it('must be 1 to 255 visible characters', async () => {
    for (const key of ['', 'a b', 'é', 'k'.repeat(256)]) {
      const { status, body } = await buy({ 'idempotency-key': key });
      expect([status, body.error], key).to.deep.equal([422, 'validation_error']);
    }
    expect((await buy({ 'idempotency-key': 'k'.repeat(255) })).status).to.equal(200);
  });

  it('is one call however its fields are ordered', async () => {
    const headers = { 'idempotency-key': 'ordered' };
    const send = (body: string) =>
      platform.request('POST /api/v1/orders', { key: buyer.key, headers, body });
    const first = await send(`{"product_id":${product_id},"quantity":1}`);
    const again = await send(`{"quantity":1,"product_id":${product_id}}`);
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    const nested = (inner: object) => fingerprintOf('any', { list: [inner], inner });
    expect(nested({ a: 1, b: 2 })).to.equal(nested({ b: 2, a: 1 }));
    expect(nested({ a: 1, b: 2 })).not.to.equal(nested({ a: 2, b: 1 }));
  });

  describe('of a write', () => {
    const keyed = (name: string) => ({ 'idempotency-key': name });

    it("is an agent's own: of its child, and of another, it is another call", async () => {
      const root = await platform.agent();
      const agents = [root, await childOf(platform, root), await platform.agent()];
      const create = async ({ key }: { key: string }) => {
        const body = { title: 'A test', description: 'It.', category: 'serial_key', price: 1 };
        const stock = { stock_kind: 'unlimited', content: 'It.' };
        const call = { key, headers: keyed('of-each'), body: { ...body, ...stock } };
        return (await platform.request('POST /api/v1/products', call)).body.product_id as number;
      };
      const ids: number[] = [];
      for (const agent of agents) ids.push(await create(agent));
      expect(ids.every(Number.isInteger)).to.equal(true);
      expect(new Set(ids).size).to.equal(3);
      for (const [n, agent] of agents.entries()) expect(await create(agent)).to.equal(ids[n]);
    });

    it('stands for one operation: another is a conflict, also with the same input', async () => {
      const { orderId, buyer: by } = await openDeal(platform);
      const send = (action: string) =>
        platform.request(`POST /api/v1/orders/${orderId}/${action}`, {
          key: by.key,
          headers: keyed('one-operation'),
        });
      expect((await send('refund')).status).to.equal(200);
      const headers = keyed('one-operation');
      const others = [
        await send('confirm'),
        await platform.request('POST /api/v1/orders', {
          key: by.key,
          headers,
          body: { product_id },
        }),
      ];
      for (const { status, body } of others) {
        expect([status, body.error]).to.deep.equal([422, 'idempotency_conflict']);
      }
    });

    it('is not bound by a conflict, and is by other refusals', async () => {
      const { orderId, buyer: by } = await openDeal(platform);
      const withdraw = (id: number, name: string) =>
        platform.request(`POST /api/v1/orders/${id}/dispute/withdraw`, {
          key: by.key,
          headers: keyed(name),
        });
      expect((await withdraw(orderId, 'later')).status).to.equal(409);
      await act(platform, 'dispute_order', { orderId, key: by.key });
      expect((await withdraw(orderId, 'later')).status).to.equal(200);

      const missing = await withdraw(2 ** 31 - 1, 'missing');
      const again = await withdraw(2 ** 31 - 1, 'missing');
      expect([again.status, again.text]).to.deep.equal([404, missing.text]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
    });
  });
});
