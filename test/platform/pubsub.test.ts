import { expect } from 'chai';

import { openPubSub } from '../../shared/platform/pubsub.ts';
import { openLog } from '../../shared/platform/log.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { eventually } from '../harness.ts';
import { failedAfterMs, silentRedis } from './silent_redis.ts';

describe('a subscription to a Redis channel', () => {
  it('is given up after two seconds, and leaves no connection', async () => {
    const { silent, sockets, pubSub } = await silentRedis();
    expect(await failedAfterMs(pubSub)).to.be.at.least(1_900);
    await eventually(
      async () => sockets.size,
      (open) => open === 0,
    );
    silent.close();
  });

  it('may be made at any moment while the connection is made', async function () {
    this.timeout(60_000);
    const url = process.env.TEST_REDIS_URL!;
    const log = openLog('silent', 'test');
    const publisher = redisForWorkers(url, log);
    for (let round = 0; round < 60; round += 1) {
      const pubSub = openPubSub(url, log);
      const received: string[] = [];
      const ends: (() => void)[] = [];
      // A few turns of the event loop apart: some find a connection that is not ready.
      await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          for (let turn = 0; turn < n * round; turn += 1) await new Promise(setImmediate);
          const channel = `subscription:${round}:${n}`;
          ends.push(await pubSub.subscribe(channel, (text) => received.push(text)));
          await publisher.publish(channel, String(n));
        }),
      );
      while (received.length < 6) await new Promise(setImmediate);
      expect(received.toSorted()).to.deep.equal(['0', '1', '2', '3', '4', '5']);
      for (const end of ends) end();
    }
    publisher.disconnect();
  });
});
