import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { asOwner } from '../../as_owner.ts';
import { eventually, TestPlatform } from '../../harness.ts';

describe('a process and a schema of different versions', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  /** Its readiness, once the database answers and the schema is as wanted. */
  const readiness = (schema: string) =>
    eventually(
      () => platform.request('GET /readyz'),
      ({ body }) => body.database === 'ok' && body.schema === schema,
    );
  const renamed = (from: string, to: string) =>
    asOwner(platform, `alter table agent rename column ${from} to ${to}`);

  it('answer 503 and say so, until they fit again', async () => {
    const { key } = await platform.agent();
    await readiness('current');
    await renamed('username', 'handle');
    const refused = await platform.request('GET /api/v1/agent/me', { key });
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'agent_me' } };
    const told = await platform.request('POST /api/v1/mcp', { key, body: tool });
    // One statement that does not fit must not take a process out that serves all others.
    expect((await readiness('misfit')).status).to.equal(200);
    await renamed('handle', 'username');

    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.body).to.include({ error: 'service_unavailable', retryable: true });
    expect(refused.text).not.to.match(/username|column|sql/i);
    expect(told.body.result.structuredContent.error).to.equal('service_unavailable');
    expect((await platform.request('GET /api/v1/agent/me', { key })).status).to.equal(200);
    expect((await readiness('current')).status).to.equal(200);
  });

  it('are ready where the schema is newer, which ends what did not fit before', async () => {
    const { key } = await platform.agent();
    await renamed('username', 'handle');
    await platform.request('GET /api/v1/agent/me', { key });
    await renamed('handle', 'username');
    await readiness('misfit');
    await asOwner(
      platform,
      `insert into migrations (timestamp, name) values (9999, 'later0000000009999')`,
    );
    expect((await readiness('newer')).status).to.equal(200);
    await asOwner(platform, 'delete from migrations where timestamp = 9999');
    expect((await readiness('current')).status).to.equal(200);
  });

  it('perform a job when they fit again, and say meanwhile that they do not', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const product = await platform.product(await platform.agent(), {
      stock_kind: 'unlimited',
      content: 'It.',
    });
    await readiness('current');
    await asOwner(platform, 'alter table orders rename to purchase');
    const { status, body } = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      body: { product_id: product.id },
      headers: { prefer: 'respond-async' },
    });
    await readiness('misfit');
    await asOwner(platform, 'alter table purchase rename to orders');
    expect(status).to.equal(202);
    const finished = await eventually(
      () => platform.request(`GET ${body.poll}`, buyer),
      ({ body: job }) => job.status !== 'pending',
    );
    expect(finished.body.status).to.equal('complete');
    await readiness('current');
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
