import { expect } from 'chai';

import { queues } from '../../shared/composition/queues.ts';
import { CHAIN_RAILS } from '../../shared/domains/deposits/chain/networks.ts';
import { moveEventWatermark } from '../../shared/domains/events/watermark.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { CODES } from '../../shared/kernel/refusal.ts';
import { SECONDS } from '../../shared/platform/metrics.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { Scrape } from './scrape.ts';
import { patience } from '../platform/pace.ts';

const TOKEN = 'operator-token-of-the-tests';
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('/metrics', () => {
  let platform: TestPlatform;
  let earlier: Scrape;
  before(async () => {
    platform = await TestPlatform.open();
    earlier = await scrape();
  });
  after(() => platform.close());

  const scrape = async (source = platform) =>
    new Scrape((await source.request('GET /metrics', { key: TOKEN })).text);

  it('is for operators: by Bearer, and by Basic as the password', async () => {
    const agent = await platform.agent();
    for (const [headers, code] of [
      [{}, 'authentication_required'],
      [{ authorization: `Bearer ${agent.key}` }, 'invalid_key'],
      [basic('operator', agent.key), 'invalid_key'],
    ] as const) {
      const reply = await platform.request('GET /metrics', { headers });
      expect([reply.status, reply.body.error]).to.deep.equal([401, code]);
      expect(reply.text).not.to.contain('market_');
    }
    for (const headers of [{ authorization: `Bearer ${TOKEN}` }, basic('prometheus', TOKEN)]) {
      const reply = await platform.request('GET /metrics', { headers });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal(
        'text/plain; version=0.0.4; charset=utf-8',
      );
      expect(new Scrape(reply.text).value('process_cpu_seconds_total')).to.be.greaterThan(0);
    }
  });

  it('counts calls by operation and status, and refusals by code, of each interface', async () => {
    const { buyer, product } = await meet(platform);
    const before = await scrape();
    const call = (tool: string, params: object) =>
      platform.request('POST /api/v1/mcp/call', { key: buyer.key, body: { tool, params } });
    await buy(platform, buyer, product);
    expect((await call('purchase_product', { product_id: product.id })).status).to.equal(400);
    expect((await call('get_order', { order_id: 999_999 })).status).to.equal(404);
    await platform.request('GET /api/v1/orders/999999', { key: buyer.key });
    await platform.request('GET /api/v1/nothing', { key: buyer.key });

    const after = await scrape();
    const more = (name: string, labels: Record<string, string>) =>
      after.value(name, labels)! - (before.value(name, labels) ?? 0);
    const operation = 'purchase_product';
    expect(more('market_calls_total', { operation, status: '200' })).to.equal(1);
    expect(more('market_calls_total', { operation, status: '400' })).to.equal(1);
    expect(more('market_calls_total', { operation: 'get_order', status: '404' })).to.equal(2);
    expect(more('market_refusals_total', { code: 'out_of_stock' })).to.equal(1);
    expect(more('market_refusals_total', { code: 'not_found' })).to.equal(3);
    expect(more('market_call_seconds_count', { mode: 'read' })).to.equal(2);
    const batches = ['market_batch_jobs_sum', 'market_batch_seconds_count'];
    for (const name of batches) expect(more(name, { queue: 'money' }), name).to.be.greaterThan(0);
  });

  it('counts what was moved once, by kind, and not what was moved before', async () => {
    const { buyer, product } = await meet(platform, { usd: 20, price: 2, items: ['A', 'B', 'C'] });
    await buy(platform, buyer, product);
    await scrape();
    const { value: before = 0 } = { value: (await scrape()).value(...HELD) };
    await buy(platform, buyer, product);
    await buy(platform, buyer, product);
    const found = await eventually(scrape, (one) => (one.value(...HELD) ?? 0) > before);
    expect(found.value(...HELD)! - before).to.be.closeTo(4.4, 1e-9);
    expect((await scrape()).value(...HELD)! - before).to.be.closeTo(4.4, 1e-9);
  });
  const HELD = ['market_money_usd_total', { kind: 'order.hold' }] as const;

  it('shows what waits where: jobs, queues, events, connections, permits', async () => {
    const { buyer, product } = await meet(platform);
    await platform.pauseWorkers();
    const pending = await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      headers: { prefer: 'respond-async' },
      body: { product_id: product.id },
    });
    expect(pending.status).to.equal(202);
    await eventually(
      () => moveEventWatermark(platform.context.database),
      ({ settled, drawn }) => settled === drawn,
    );
    await platform.query(
      `insert into event (agent_id, root_id, type, object_kind, object_id, status, data, occurred_at)
       values ($1, $1, 'order.created', 'order', 1, 'escrow', '{}', now() - interval '1 minute')`,
      [buyer.id],
    );
    await platform.query(
      `insert into webhook (root_id, url, description, types, secret, position, types_from)
       values ($1, 'http://localhost/', '', '{}', '', 0, 0)`,
      [buyer.id],
    );
    const found = await eventually(
      scrape,
      (one) =>
        one.value('market_overdue_job_seconds')! > 0 &&
        one.value('market_queue_latency_seconds', { queue: 'money' })! > 0,
    );
    expect(found.value('market_queue_batches', { queue: 'money', state: 'waiting' })).to.equal(1);
    expect(found.value('market_queue_batches', { queue: 'bulk', state: 'waiting' })).to.equal(0);
    expect(found.value('market_events_behind_seconds')).to.be.within(60, 60 + patience(60));
    expect(found.value('market_webhooks_wait_seconds')).to.be.within(60, 60 + patience(60));
    expect(found.value('market_pool_connections', { pool: 'work' })).to.be.greaterThan(0);
    expect(found.value('market_pool_waiting', { pool: 'work' })).to.equal(0);
    expect(found.value('market_permits_max')).to.equal(5_000);
    expect(found.value('market_permits_in_use', { limiter: 'calls' })).to.equal(0);
    expect(found.value('market_server_answers', { server: 'postgresql' })).to.equal(1);
    expect(found.value('market_server_answers', { server: 'redis' })).to.equal(1);
    await platform.query('delete from webhook');
    await platform.resumeWorkers();
    await eventually(
      scrape,
      (one) =>
        one.value('market_overdue_job_seconds') === 0 &&
        one.value('market_webhooks_wait_seconds') === 0,
    );
  });

  it('has few values of labels, none of them chosen by a caller', async () => {
    const { seller, buyer, product } = await meet(platform, { title: 'Canary', items: ['canary'] });
    await scrape();
    await platform.request('POST /api/v1/orders', {
      key: buyer.key,
      headers: { 'idempotency-key': 'canary', 'x-request-id': 'canary' },
      body: { product_id: product.id },
    });
    await platform.request('GET /canary');
    await eventually(scrape, (one) => (one.value(...HELD) ?? 0) > 0);
    const { text } = await platform.request('GET /metrics', { key: TOKEN });
    for (const secret of ['anary', seller.username, buyer.username, buyer.key, seller.key]) {
      expect(text).not.to.contain(secret);
    }
    const ours = new Scrape(text).samples.filter(({ name }) => name.startsWith('market_'));
    // Files that ran before in this process may have counted operations of their own.
    const kept = new Set(earlier.samples.map(({ labels }) => labels.operation));
    const known = valuesOfLabels(await kindsOfTransfers(platform));
    const strange = ours
      .flatMap(({ labels }) => Object.entries(labels))
      .filter(([label, value]) => !known[label]?.has(value))
      .filter(([label, value]) => label !== 'operation' || !kept.has(value));
    expect(strange).to.deep.equal([]);
    for (const label of ['operation', 'status', 'kind', 'le', 'queue', 'code']) {
      expect(
        ours.some(({ labels }) => label in labels),
        label,
      ).to.equal(true);
    }
  });

  it('is shown while Redis is away, and says so', async () => {
    const cut = await TestPlatform.open({
      workers: false,
      redisUrl: 'redis://127.0.0.1:1',
      env: { RATE_LIMIT_PUBLIC: '600' },
    });
    try {
      const before = await scrape(cut);
      expect(before.value('market_server_answers', { server: 'redis' })).to.equal(0);
      expect(before.value('market_server_answers', { server: 'postgresql' })).to.equal(1);
      expect(before.value('market_queue_batches')).to.equal(undefined);
      await cut.request('GET /api/v1/proxy/info');
      const alone = 'market_calls_counted_alone_total';
      expect((await scrape(cut)).value(alone)! - before.value(alone)!).to.equal(1);
    } finally {
      await cut.close();
    }
  });
});

async function kindsOfTransfers(platform: TestPlatform): Promise<string[]> {
  const found: { kind: string }[] = await platform.query('select kind from ledger.route');
  return found.map(({ kind }) => kind);
}

/** All values of each label: the code has them all, so the number of series has a bound. */
function valuesOfLabels(kinds: readonly string[]): Record<string, ReadonlySet<string>> {
  const values: Record<string, readonly (string | number)[]> = {
    operation: [...catalog.keys()],
    status: [200, 202, ...Object.values(CODES).map(({ status }) => status)],
    mode: ['read', 'job', 'write'],
    le: [...SECONDS, 1, 2, 4, 8, 16, 32, 64, '+Inf'],
    code: Object.keys(CODES),
    queue: queues,
    state: ['waiting', 'active', 'busy', 'idle'],
    pool: ['work', 'reserved'],
    limiter: ['calls', 'jobs'],
    server: ['postgresql', 'redis'],
    kind: kinds,
    outcome: '2xx 3xx 4xx 5xx none blocked sold refunded denied unauthenticated fault'.split(' '),
    rail: CHAIN_RAILS,
  };
  const sets = Object.entries(values).map(([label, all]) => [label, new Set(all.map(String))]);
  return Object.fromEntries(sets);
}
