import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import {
  buy,
  buyUntilDone,
  openMarket,
  expectConsistent,
  logMeasurement,
  type Market,
} from './market.ts';
import { openServers, type Servers } from './servers.ts';

const STOP_MS_MAX = 10_000;

describe('an API and a worker that get SIGTERM', function () {
  this.timeout(120_000);

  let servers: Servers;
  let platform: TestPlatform;
  let market: Market;
  before(async () => {
    servers = await openServers();
    const { redis, postgres } = servers;
    platform = await openPlatform({
      redisUrl: redis.url,
      postgresUrl: postgres.url,
      workers: false,
    });
    market = await openMarket(platform);
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await servers.close();
  });
  afterEach(endChildren);

  const accepted = new Set<string>();

  /** Callers that buy until the API accepts no connection. */
  function keepBuying(api: Child): Promise<unknown> {
    return Promise.all(
      Array.from({ length: 8 }, async () => {
        for (;;) {
          const reply = await buy(api, market);
          if (!reply) return;
          if (reply.status < 300) accepted.add(reply.key);
          else expect(reply.status).to.equal(503);
        }
      }),
    );
  }

  const situations: [string, (api: Child) => Promise<unknown>, () => Promise<void>][] = [
    ['idle', async () => undefined, async () => undefined],
    ['busy', async (api) => keepBuying(api), async () => undefined],
    [
      'busy when Redis dies',
      async (api) => {
        servers.redis.kill('SIGKILL');
        await servers.redis.ended();
        return keepBuying(api);
      },
      () => servers.redis.start(),
    ],
    [
      'busy when Redis freezes',
      async (api) => {
        servers.redis.kill('SIGSTOP');
        return keepBuying(api);
      },
      async () => servers.redis.kill('SIGCONT'),
    ],
    [
      'busy when PostgreSQL dies',
      async (api) => {
        const calls = keepBuying(api);
        servers.postgres.kill('SIGKILL');
        await servers.postgres.ended();
        return calls;
      },
      () => servers.postgres.start(),
    ],
  ];

  for (const [situation, begin, repair] of situations) {
    it(`exit with code 0 within ten seconds: ${situation}`, async () => {
      const [api, worker] = await Promise.all([
        child(platform, 'api/main.ts'),
        child(platform, 'workers/main.ts'),
      ]);
      const before = accepted.size;
      const calls = begin(api);
      if (situation.startsWith('busy') && !situation.includes('PostgreSQL')) {
        await eventually(
          async () => accepted.size,
          (size) => size > before + 10,
        );
      }
      const signalledAt = Date.now();
      api.kill('SIGTERM');
      worker.kill('SIGTERM');
      const [apiEnded, workerEnded] = await Promise.all([
        api.ended.then((code) => [code, Date.now() - signalledAt] as const),
        worker.ended.then((code) => [code, Date.now() - signalledAt] as const),
      ]);
      await calls;
      await repair();
      logMeasurement('API', apiEnded[1]);
      logMeasurement('worker', workerEnded[1]);
      expect([apiEnded[0], workerEnded[0]]).to.deep.equal([0, 0]);
      expect(Math.max(apiEnded[1], workerEnded[1])).to.be.below(STOP_MS_MAX);
    });
  }

  it('leave no accepted call unperformed', async () => {
    await child(platform, 'workers/main.ts');
    const [api] = [await child(platform, 'api/main.ts')];
    for (const key of accepted) {
      expect(await buyUntilDone(api, market, { key })).to.include({ status: 200 });
    }
    const [{ n }] = await platform.query(
      `select count(*)::int as n from job where operation = 'purchase_product'`,
    );
    expect(n).to.be.at.least(accepted.size);
    await expectConsistent(platform, n);
  });
});
