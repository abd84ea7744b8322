import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { costsOf, requestsOf } from './logged.ts';

describe('request_costs', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('sums up calls, errors and costs by operation and by agent', async () => {
    const { buyer, product } = await meet(platform, { items: ['a', 'b'], price: 1 });
    const child = await childOf(platform, buyer);
    await buy(platform, buyer, product);
    await buy(platform, child, product);
    await platform.request('GET /api/v1/orders/999999', { key: child.key });
    await platform.request('GET /api/v1/orders/999998', { key: child.key });
    await platform.request('GET /api/v1/wallet', { key: (await platform.agent()).key });
    const costs = await costsOf(platform, buyer);
    expect(costs).to.include({ calls: 4, errors: 2, pending: 0, cost: 2.2 });
    expect(costs.parts).to.have.length(2);
    expect(costs.parts[0]).to.include({
      operation: 'purchase_product',
      agent_id: null,
      calls: 2,
      errors: 0,
      cost: 2.2,
    });
    expect(costs.parts[1]).to.include({ operation: 'get_order', calls: 2, errors: 2, cost: 0 });
    const byAgent = await costsOf(platform, buyer, { by: 'agent', since: costs.since });
    const ofAgents = byAgent.parts.map((part: Record<string, unknown>) => [
      part.agent_id,
      part.agent_name,
      part.cost,
    ]);
    expect(ofAgents).to.deep.equal([
      [child.id, child.username, 1.1],
      [buyer.id, buyer.username, 1.1],
    ]);
    expect(await costsOf(platform, child)).to.include({ calls: 3, errors: 2, cost: 1.1 });
    const since = new Date(Date.now() + 60_000).toISOString();
    expect(await costsOf(platform, child, { since })).to.include({ calls: 0, cost: 0 });
  });

  it('counts what a call answered 202 took once its job has ended, and once', async () => {
    const { buyer, product } = await meet(platform, { items: ['a', 'b', 'c'], price: 1 });
    const child = await childOf(platform, buyer);
    await platform.request(`POST /agent/monitor/${child.id}/policy`, {
      key: buyer.key,
      body: { approval_threshold: 0.5 },
    });
    const call = { body: { product_id: product.id } };
    const paths = 'POST /api/v1/orders?wait=0';
    const once = { ...call, key: buyer.key, headers: { 'idempotency-key': `later-${buyer.id}` } };
    const first = await platform.request(paths, once);
    expect(first.status).to.equal(202);
    const asked = { ...once, key: child.key };
    const approval = await platform.request(paths, asked);
    expect((await platform.request(paths, asked)).status).to.equal(202);
    const jobs = [first.body.poll, approval.body.poll] as const;
    const ended = (poll: string, key: string) =>
      eventually(
        () => platform.request(`GET ${poll}`, { key }),
        ({ body }) => body.status === 'complete',
      );
    await ended(jobs[0], buyer.key);
    // A repeat that is answered later, when the job has ended, takes nothing again.
    await platform.request(paths, once);
    const ofChild = { agent_id: child.id };
    expect(await costsOf(platform, buyer, ofChild)).to.include({ pending: 2, cost: 0 });
    for (const by of ['operation', 'agent']) {
      expect(await costsOf(platform, buyer, { by })).to.include({ pending: 2, cost: 1.1 });
    }
    const { body: asks } = await eventually(
      () => platform.request(`GET ${jobs[1]}`, { key: child.key }),
      ({ body }) => body.approval !== undefined,
    );
    const { approval_id: id } = asks.approval;
    await platform.request(`POST /api/v1/approvals/${id}/approve`, { key: buyer.key, body: {} });
    await ended(jobs[1], child.key);
    for (const by of ['operation', 'agent']) {
      const costs = await costsOf(platform, buyer, { by });
      expect(costs).to.include({ pending: 0, cost: 2.2 });
      expect(costs.parts[0].cost).to.equal(by === 'agent' ? 1.1 : 2.2);
    }
    expect(await costsOf(platform, child)).to.include({ pending: 0, cost: 1.1 });
    const found = await requestsOf(platform, buyer, { operation: 'purchase_product' });
    const costs = found.map(({ status, cost }) => [status, cost]);
    expect(costs).to.deep.equal([
      [200, 0],
      [202, 0],
      [202, 1.1],
      [202, 1.1],
    ]);
  });
});
