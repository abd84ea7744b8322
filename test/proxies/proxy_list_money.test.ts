import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { stock } from './stock.ts';

describe('the money of proxy_list', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    await stock(platform, { count: 500 });
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query = '', key = agent.key, headers = {}) =>
    platform.request(`GET /api/v1/proxy/list${query}`, { key, headers });
  const idsOf = ({ body }: Reply) => body.proxies.map(({ id }: { id: string }) => id) as string[];

  it('refuses what the wallet cannot pay, and with partial gives what it can', async () => {
    for (const limit of [100, 100, 100, 100, 5]) await list(`?limit=${limit}`);
    const refused = await list('?limit=100');
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(refused.body.details).to.include({ required: 0.1, balance: 0.095 });
    expect(await platform.balance(agent)).to.equal(0.095);

    const some = await list('?limit=100&partial=true');
    expect(some.body).to.include({ count: 95, charged: 0.095 });
    expect(await platform.balance(agent)).to.equal(0);
    const none = await list('?partial=true');
    expect([none.status, none.body.error]).to.deep.equal([402, 'insufficient_balance']);
  });

  it('keeps to the policies of the agent and of everyone above it', async () => {
    const child = await childOf(platform, agent);
    const none = { max_spend_per_tx: null, daily_spend_limit: null, allowed_product_types: [] };
    for (const [id, limit, code, status, allowed] of [
      [child.id, { max_spend_per_tx: 4000 }, 'tx_limit_exceeded', 402, 4],
      [agent.id, { daily_spend_limit: 7000 }, 'daily_limit_exceeded', 402, 3],
      [child.id, { allowed_product_types: ['dataset'] }, 'product_type_not_allowed', 403, 0],
    ] as const) {
      for (const each of [agent, child]) await setPolicy(platform, each, none);
      await setPolicy(platform, { id }, limit);
      const { body, ...refused } = await list('', child.key);
      expect([refused.status, body.error]).to.deep.equal([status, code]);
      expect(body.details.policy_trace.policy_of).to.equal(id);
      const some = await list('?partial=true', child.key);
      if (allowed > 0) expect(some.body).to.include({ count: allowed });
      else expect(some.body.error).to.equal(code);
    }
    expect(await platform.balance(agent)).to.equal(0.493);
  });

  it('answers a repeat with the same bytes and charges once, and keeps no proxy in its row', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await list('?limit=5', agent.key, headers);
    const again = await list('?limit=5', agent.key, headers);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(agent)).to.equal(0.495);

    const other = await list('?limit=6', agent.key, headers);
    expect([other.status, other.body.error]).to.deep.equal([422, 'idempotency_conflict']);
    const [{ row }] = await platform.query('select job::text as row from job where key = $1', [
      headers['idempotency-key'],
    ]);
    for (const { ip_port } of first.body.proxies) expect(row).not.to.include(ip_port);

    // Also when they have died since.
    await platform.query(`update proxy set state = 'dead' where id = any ($1)`, [idsOf(first)]);
    expect((await list('?limit=5', agent.key, headers)).text).to.equal(first.text);
    await platform.query(`update proxy set state = 'hot' where id = any ($1)`, [idsOf(first)]);
  });

  it('is charged once for ten calls with one key at the same moment', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => list('', agent.key, headers)),
    );
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    expect(await platform.balance(agent)).to.equal(0.49);
  });

  it('sells to exactly fifty of a hundred simultaneous calls when there is money for fifty', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => list('?limit=10')));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(50);
    expect(statuses.filter((status) => status === 402)).to.have.length(50);
    expect(await platform.balance(agent)).to.equal(0);
    expect(await chargesOf(agent)).to.equal(50);
  });

  it('never charges for HEAD', async () => {
    const { status } = await fetch(`${platform.url}/api/v1/proxy/list`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${agent.key}` },
    });
    expect(status).to.equal(405);
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  const chargesOf = async ({ id }: { id: number }) =>
    (await platform.query('select from charge where agent_id = $1', [id])).length;
});
