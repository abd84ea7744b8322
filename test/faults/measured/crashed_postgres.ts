import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';
import { child, endChildren, openPlatform } from '../children.ts';
import { startLoad, openMarket, expectConsistent } from '../market.ts';
import { openServers, type Servers } from '../servers.ts';
import { measureStalls, type Goals } from '../stalls.ts';

const CALLERS = 8;

export const crashedPostgres = (goals: Goals) =>
  describe('PostgreSQL, killed', function () {
    this.timeout(120_000);

    let servers: Servers;
    let platform: TestPlatform;
    before(async () => {
      servers = await openServers();
      const { redis, postgres } = servers;
      platform = await openPlatform({
        redisUrl: redis.url,
        postgresUrl: postgres.url,
        workers: false,
      });
    });
    after(async () => {
      await endChildren();
      await platform.close();
      await servers.close();
    });

    it('under load ends no process and loses nothing; meanwhile callers get 503', async () => {
      const market = await openMarket(platform);
      const [api, ...workers] = await Promise.all([
        child(platform, 'test/faults/api.ts'),
        child(platform, 'test/faults/worker.ts'),
        child(platform, 'test/faults/worker.ts'),
      ]);
      const calls = startLoad(api, market, { callers: CALLERS });
      await calls.answered(50);
      servers.postgres.kill('SIGKILL');
      await servers.postgres.ended();
      await eventually(
        async () => calls.statuses,
        (seen) => seen.has(503),
      );
      const headers = { authorization: `Bearer ${market.buyer.key}` };
      expect((await fetch(`${api.url}/api/v1/wallet`, { headers })).status).to.equal(503);
      expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
      await servers.postgres.start();
      const [upAt, before, stallsMs] = [Date.now(), calls.replies.length, measureStalls()];
      const interrupted = await eventually(
        async () => calls.spans.filter(({ from, to }) => from <= upAt && to >= upAt),
        (spans) => spans.length >= CALLERS,
      );
      const tookMs = Math.max(...interrupted.map(({ to }) => to - upAt));
      goals.expectGoal('recovery after a crash of PostgreSQL', tookMs, 1_500 + stallsMs());
      await calls.answered(before + 50);
      calls.stop();
      const replies = await calls.done;

      // No caller got a fault or no answer.
      expect([200, 202, 503]).to.include.members([...calls.statuses]);
      for (const { process } of [api, ...workers]) expect(process.exitCode).to.equal(null);
      await expectConsistent(platform, replies.length);
    });
  });
