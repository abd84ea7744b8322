// test:all: a thousand callers wait, and processes are killed and frozen.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';

import { createApp } from '../../api/app.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { openWaiters, type Waiters } from '../../shared/jobs/waiters.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { admin, child, endChildren, openPlatform } from './children.ts';
import { buy, buyUntilDone, loseBatch, openMarket } from './market.ts';
import { expectConsistent, recordedJobId, type Market } from './market.ts';
import { buyUnpublished } from './measured/unpublished.ts';
import { openRedis, type OwnRedis } from './servers.ts';

describe('a caller that waits', function () {
  this.timeout(120_000);

  let redis: OwnRedis;
  let platform: TestPlatform;
  let market: Market;
  before(async () => (redis = await openRedis()));
  beforeEach(async () => {
    platform = await openPlatform({ workers: false, redisUrl: redis.url });
    market = await openMarket(platform);
  });
  afterEach(async () => {
    await endChildren();
    await platform.close();
  });
  after(() => redis.close());

  it('is answered though no answer is published', async () => {
    await buyUnpublished(platform, market);
    await expectConsistent(platform, 8);
  });

  it('is answered, with a thousand others, when the workers come back', async () => {
    const calls = Array.from({ length: 1_000 }, () => buyUntilDone(platform, market));
    await eventually(
      () => platform.query('select count(*)::int as n from job'),
      ([{ n }]) => n === 1_000,
    );
    await platform.resumeWorkers();
    const replies = await Promise.all(calls);
    expect(new Set(replies.map((reply) => reply?.status))).to.deep.equal(new Set([200]));
    expect(new Set(replies.map((reply) => reply!.body.order_id)).size).to.equal(1_000);
    await expectConsistent(platform, 1_000);
  });

  it('and disconnects frees its waiter, and its job is still performed', async () => {
    const { database, config, log } = platform.context;
    const waiters = openWaiters(database, config.redisUrl, log);
    let waiting = 0;
    const countingWaiters: Waiters = {
      ...waiters,
      waitFor(...job) {
        const waiter = waiters.waitFor(...job);
        waiting += 1;
        void waiter.answer.then(() => (waiting -= 1));
        return waiter;
      },
    };
    const server = createServer(
      createApp(platform.context, openInvoke(platform.context, countingWaiters)),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/orders?wait=25`;
    const caller = new AbortController();
    const call = fetch(url, {
      method: 'POST',
      signal: caller.signal,
      headers: {
        authorization: `Bearer ${market.buyer.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ product_id: market.product.id }),
    }).catch(() => 'disconnected');
    const count = async () => waiting;
    await eventually(count, (n) => n === 1);
    caller.abort();
    expect(await call).to.equal('disconnected');
    await eventually(count, (n) => n === 0);
    await eventually(
      () => platform.query('select count(*)::int as n from job'),
      ([{ n }]) => n === 1,
    );
    await platform.resumeWorkers();
    await expectConsistent(platform, 1);
    waiters.close();
    server.closeAllConnections(); // Those that are kept alive would be waited for.
    await new Promise((resolve) => server.close(resolve));
  });

  it('is answered by another worker, once, while the first is frozen and holds its job', async () => {
    // The database ends a session that idles in a transaction, by default after ten seconds.
    await admin(
      platform,
      `alter role market_app in database ${platform.name}
         set idle_in_transaction_session_timeout = '3s'`,
    );
    const call = buyUntilDone(platform, market);
    const env = { CRASH_AT: 'W3', CRASH_AT_JOB: await recordedJobId(platform), FREEZE: 'yes' };
    await loseBatch(platform); // A job that the dispatcher pushes runs alone, step by step.
    const frozen = await child(platform, 'test/faults/worker.ts', env);
    await eventually(
      () =>
        admin(
          platform,
          `select from pg_stat_activity where datname = $1 and state = 'idle in transaction'
                      and now() - state_change > interval '200 ms'`,
          [platform.name],
        ),
      (rows) => rows.length > 0,
    );
    await platform.resumeWorkers();
    const reply = await call;
    expect(reply).to.include({ status: 200 });
    await platform.pauseWorkers();

    frozen.kill('SIGCONT');
    expect(await buyUntilDone(platform, market), 'the first worker continues').to.include({
      status: 200,
    });
    expect((await buy(platform, market, { key: reply!.key }))!.text).to.equal(reply!.text);
    await expectConsistent(platform, 2);
  });
});
