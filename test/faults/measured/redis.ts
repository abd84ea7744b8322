import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';
import { child, endChildren, openPlatform } from '../children.ts';
import {
  buy,
  startLoad,
  openMarket,
  percentile,
  expectConsistent,
  untilSettled,
} from '../market.ts';
import { openRedis, type OwnRedis } from '../servers.ts';
import { measureStalls, type Goals } from '../stalls.ts';

export const brokenRedis = (goals: Goals) =>
  describe('Redis', function () {
    this.timeout(120_000);

    let redis: OwnRedis;
    let platform: TestPlatform | undefined;
    before(async () => (redis = await openRedis()));
    afterEach(async () => {
      await endChildren();
      await platform?.close();
    });
    after(() => redis.close());

    it('that loses its data loses no job', async () => {
      platform = await openPlatform({ redisUrl: redis.url });
      const market = await openMarket(platform);
      const calls = startLoad(platform, market, { callers: 16, calls: 200 });
      await calls.answered(60);
      redis.kill('SIGKILL');
      await redis.ended();
      const stalledMs = measureStalls();
      const dead = await buy(platform, market);
      expect(dead).to.include({ status: 202 });
      goals.expectGoal('an answer with Redis dead', dead!.ms, 500 + stalledMs());
      await calls.answered(100);
      await redis.start();
      const [upAt, stallsMs] = [Date.now(), measureStalls()];
      const replies = await calls.done;

      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200, 202]));
      await expectConsistent(platform, 201);
      const limitMs = 800 + stallsMs();
      const rows = await platform.query(
        `select extract(epoch from finished_at) * 1000 - $1::float8 as ms from job
        where operation = 'purchase_product' and created_at <= to_timestamp($1 / 1000)
          and finished_at > to_timestamp($1 / 1000)`,
        [upAt],
      );
      const delays = rows.map(({ ms }: { ms: string }) => Number(ms));
      expect(delays.length, 'jobs that Redis had lost or never got').to.be.at.least(20);
      goals.expectGoal('recovery after Redis lost everything', percentile(delays, 99), limitMs);
    });

    it('that starts after the platform needs no restart of a process', async () => {
      await redis.stop();
      platform = await openPlatform({ redisUrl: redis.url, workers: false });
      const market = await openMarket(platform);
      const [api] = await Promise.all([
        child(platform, 'api/main.ts'),
        child(platform, 'workers/main.ts'),
        child(platform, 'workers/main.ts'),
      ]);
      const [took, stalledMs] = [[] as number[], measureStalls()];
      for (let n = 0; n < 5; n += 1) {
        const reply = await buy(api, market);
        expect(reply).to.include({ status: 202 });
        took.push(reply!.ms);
      }
      goals.expectGoal(
        'slowest of five answers without Redis',
        Math.max(...took),
        500 + stalledMs(),
      );
      const headers = { authorization: `Bearer ${market.buyer.key}` };
      await eventually(
        () => fetch(`${api.url}/readyz`), // PostgreSQL must answer within half a second
        ({ status }) => status === 200,
      );
      expect((await fetch(`${api.url}/api/v1/wallet`, { headers })).status).to.equal(200);

      await redis.start();
      const [upAt, stallsMs] = [Date.now(), measureStalls()];
      await untilSettled(platform);
      const tookMs = Date.now() - upAt;
      goals.expectGoal('done after Redis came', tookMs, 3_000 + stallsMs());
      await expectConsistent(platform, 5);
      // Each process connects by itself, and the API may be the last: until then it answers 202.
      await eventually(
        () => buy(api, market),
        (reply) => reply?.status === 200,
      );
    });

    it('that is frozen holds up no answer, and loses no call', async () => {
      platform = await openPlatform({ redisUrl: redis.url });
      const market = await openMarket(platform);
      expect(await buy(platform, market)).to.include({ status: 200 });
      redis.kill('SIGSTOP');
      const stallsMs = measureStalls();
      const calls = startLoad(platform, market, { callers: 8, calls: 40 });
      const replies = await calls.done;
      const limitMs = 1_500 + stallsMs();
      const slowest = Math.max(...replies.map(({ ms }) => ms));
      const read = await platform.request('GET /api/v1/wallet', { key: market.buyer.key });
      redis.kill('SIGCONT');

      goals.expectGoal('slowest answer with Redis frozen', slowest, limitMs);
      expect(read.status).to.equal(200);
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([202]));
      await expectConsistent(platform, 41);
    });
  });
