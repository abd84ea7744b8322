// test:all: programs are bundled and started, with a Redis of their own.
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { buy } from '../../faults/market.ts';
import { eventually } from '../../harness.ts';
import { Scrape } from '../../metrics/scrape.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { hang } from './collector.ts';
import { openTracedMarket, type TracedMarket } from './traced_market.ts';

describe('spans and figures', function () {
  this.timeout(120_000);

  let scene: TracedMarket;
  before(async () => {
    scene = await openTracedMarket();
  });
  afterEach(() => scene.endPrograms());
  after(() => scene.close());

  it('are bounded by the ratio, whatever callers ask for', async () => {
    const api = await scene.startApi({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    });
    const traceparent = `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-01`;
    for (let call = 0; call < 5; call += 1) {
      await fetch(`${api.url}/api/v1/categories`, { headers: { traceparent } });
    }
    await scene.startWorker();
    expect((await buy(api, scene.market))!.status).to.equal(200);
    api.kill('SIGTERM');
    expect(await api.ended).to.equal(0);
    expect(scene.collector().spans).to.deep.equal([]);
    const [{ traced }] = await scene.platform.query(
      `select trace is not null as traced from job order by id desc limit 1`,
    );
    expect(traced).to.equal(false);
  });

  it('are sent before a process ends, and figures are those of /metrics', async () => {
    const more = { OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_METRIC_EXPORT_INTERVAL: '500' };
    const api = await scene.startApi(more);
    const worker = await scene.startWorker(more, 'workers/main.ts');
    expect((await buy(api, scene.market))!.status).to.equal(200);
    const token = scene.platform.config.agents.operators[0]!.token;
    const answer = await fetch(`${api.url}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const scrape = new Scrape(await answer.text());
    const sent = (service: string) =>
      new Map(
        scene
          .collector()
          .metrics.filter((one) => one.service === service)
          .map((one) => [one.name, one.data]),
      );
    const pointOf = (name: string, labels: Record<string, string>): Point | undefined => {
      const { sum, histogram } = sent('market-api').get(name) ?? {};
      return ((sum ?? histogram)?.dataPoints ?? []).find(({ attributes }: Labelled) =>
        Object.entries(labels).every(([key, value]) =>
          attributes.some(
            (one) => one.key === key && String(Object.values(one.value)[0]) === value,
          ),
        ),
      );
    };
    const labels = { operation: 'purchase_product', status: '200' };
    const calls = await eventually(async () => pointOf('market_calls_total', labels), Boolean);
    expect(calls!.asDouble).to.equal(1);
    const found = await eventually(
      async () => pointOf('market_call_seconds', { mode: 'job' }),
      Boolean,
    );
    const seconds = found!;
    expect(Number(seconds.count)).to.equal(
      scrape.value('market_call_seconds_count', { mode: 'job' }),
    );
    expect(seconds.sum).to.equal(scrape.value('market_call_seconds_sum', { mode: 'job' }));
    const counts = seconds.bucketCounts.map(Number);
    expect(counts.reduce((all, one) => all + one, 0)).to.equal(1);
    expect(counts).to.have.length(seconds.explicitBounds.length + 1);
    expect([...sent('market-api').keys()]).to.have.members([...scrape.types.keys()]);
    await eventually(async () => sent('market-worker').has('market_batch_seconds'), Boolean);

    expect(scene.collector().spans).to.deep.equal([]);
    for (const process of [api, worker]) process.kill('SIGTERM');
    expect(await Promise.all([api.ended, worker.ended])).to.deep.equal([0, 0]);
    expect(scene.named('POST /api/v1/orders')).to.have.length(1);
    expect(scene.named('process purchase_product')).to.have.length(1);
  });

  it('are lost where the collector hangs, and no call is, nor the end of a process', async () => {
    scene.collector().behave(hang);
    const api = await scene.startApi();
    await scene.startWorker();
    for (let call = 0; call < 3; call += 1)
      expect((await buy(api, scene.market))!.status).to.equal(200);
    await eventually(async () => scene.collector().requests.length, Boolean);
    api.kill('SIGTERM');
    expect(await api.ended).to.equal(0);
    expect(scene.collector().spans).to.deep.equal([]);
  });

  it('say nothing that a caller sent or that is secret, and are told to nobody', async () => {
    const canary = () => `canary-${randomUUID()}`;
    const [query, title, secret, search] = [canary(), canary(), canary(), canary()];
    const receiver = await startReceiver();
    const { host } = new URL(receiver.url);
    const env = { EGRESS_ALLOW: host, NODE_ENV: 'test' };
    const api = await scene.startApi(env);
    await scene.startWorker(env);
    const seller = scene.market.seller.key;
    const call = (path: string, body?: object) =>
      fetch(`${api.url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${seller}`,
          'content-type': 'application/json',
          'x-canary': secret,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const hook = await call('/api/v1/webhooks', { url: receiver.url });
    expect(hook.status).to.equal(200);
    await call(`/api/v1/categories?nothing=${query}`);
    await call(`/api/v1/nowhere/${query}?${query}`);
    await call(`/api/v1/assets/search?query=${search}`);
    await call('/api/v1/products', {
      title,
      description: 'A description.',
      category: 'serial_key',
      price: 1,
      stock_kind: 'serial_pool',
      items: [secret],
    });
    expect((await buy(api, scene.market))!.status).to.equal(200);
    await scene.untilNamed('process purchase_product');
    await scene.untilNamed('POST /api/v1/products');
    await eventually(async () => receiver.received.length, Boolean);
    await receiver.close();
    for (const message of receiver.received) {
      expect(message.headers).not.to.have.any.keys('traceparent', 'tracestate', 'baggage');
    }
    api.kill('SIGTERM');
    await api.ended;
    const sent = scene.collector().bodies.join('');
    const { buyer } = scene.market;
    for (const hidden of [query, title, secret, search, seller, buyer.key, receiver.url]) {
      expect(sent).not.to.contain(hidden);
    }
  });
});

interface Labelled {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Point extends Labelled {
  readonly asDouble: number;
  readonly count: number | string;
  readonly sum: number;
  readonly bucketCounts: readonly (number | string)[];
  readonly explicitBounds: readonly number[];
}
