import { expect } from 'chai';
import type { Redis } from 'ioredis';

import { eventually, TestPlatform } from '../../harness.ts';
import { buy, expectConsistent, openMarket } from '../market.ts';
import { openSentinelRedis, type SentinelRedis } from '../sentinel.ts';
import type { Goals } from '../stalls.ts';

export const sentinelRedis = (goals: Goals) =>
  describe('Redis behind Sentinels', function () {
    // A Sentinel that did not run for two seconds does nothing for the next 30 (TILT).
    this.timeout(240_000);

    let redis: SentinelRedis;
    let platform: TestPlatform;
    before(async () => {
      redis = await openSentinelRedis();
      platform = await TestPlatform.open({ redisUrl: redis.url });
    });
    after(async () => {
      await platform.close();
      await redis.close();
    });

    it('is followed to the replica that they promote, and no job is lost', async () => {
      const market = await openMarket(platform);
      expect((await buy(platform, market))?.status).to.equal(200);
      redis.primary.kill('SIGKILL');
      await redis.primary.ended();
      const killedAt = performance.now();
      let calls = 1;
      await eventually(
        async () => {
          calls += 1;
          return buy(platform, market);
        },
        (reply) => reply?.status === 200,
      ).catch((error: unknown) => {
        throw new Error(`no calls are answered; the Sentinel:\n${redis.log()}`, { cause: error });
      });
      goals.logMeasurement(
        'answers in time after the primary was killed',
        performance.now() - killedAt,
      );
      await expectConsistent(platform, calls);
      await connectionsLast(platform.context.queue.redis);
    });
  });

/**
 * A Sentinel closes all connections to the Redis that it promotes, and says a moment later that
 * there is a new primary, for which ioredis connects once more. One that is closed at that moment
 * would leave a connection to the Sentinel open.
 */
async function connectionsLast(redis: Redis): Promise<void> {
  await eventually(
    async () => redis.client('LIST').catch(() => '') as Promise<string>,
    (list) => {
      const ages = Array.from(list.matchAll(/ age=(\d+) /g), ([, seconds]) => Number(seconds));
      return ages.length > 0 && ages.every((age) => age >= 2);
    },
  );
}
