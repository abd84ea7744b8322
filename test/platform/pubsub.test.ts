import { expect } from 'chai';

import { openPubSub } from '../../shared/platform/pubsub.ts';
import { openLog } from '../../shared/platform/log.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';

describe('listening to Redis', () => {
  it('begins at any moment of the making of the connection', async function () {
    this.timeout(60_000);
    const url = process.env.TEST_REDIS_URL!;
    const log = openLog('silent', 'test');
    const teller = redisForWorkers(url, log);
    for (let round = 0; round < 60; round += 1) {
      const pubSub = openPubSub(url, log);
      const heard: string[] = [];
      const leave: (() => void)[] = [];
      // One after the other, a few turns of the event loop apart: some meet a connection half made.
      await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          for (let turn = 0; turn < n * round; turn += 1) await new Promise(setImmediate);
          const channel = `listening:${round}:${n}`;
          leave.push(await pubSub.listen(channel, (text) => heard.push(text)));
          await teller.publish(channel, String(n));
        }),
      );
      while (heard.length < 6) await new Promise(setImmediate);
      expect(heard.toSorted()).to.deep.equal(['0', '1', '2', '3', '4', '5']);
      for (const go of leave) go();
    }
    teller.disconnect();
  });
});
