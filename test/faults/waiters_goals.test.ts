// test:goals: it measures when answers come that no message brought.
import { openPlatform } from './children.ts';
import { expectConsistent, openMarket } from './market.ts';
import { buyUnpublished } from './measured/unpublished.ts';
import { openRedis } from './servers.ts';
import { expectGoal, measureStalls } from './stalls.ts';

describe('a caller that waits', () => {
  it('is answered within half a second though no answer is published', async () => {
    const redis = await openRedis();
    const platform = await openPlatform({ workers: false, redisUrl: redis.url });
    try {
      const market = await openMarket(platform);
      const stallsMs = measureStalls();
      const slowest = Math.max(...(await buyUnpublished(platform, market)));
      await expectConsistent(platform, 8);
      expectGoal('slowest of 8 answers that were not published', slowest, 500 + stallsMs());
    } finally {
      await platform.close();
      await redis.close();
    }
  });
});
