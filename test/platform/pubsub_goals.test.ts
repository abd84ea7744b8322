// test:goals: it measures how long a Redis that says nothing is waited for.
import { expectGoal } from '../faults/stalls.ts';
import { failedAfterMs, silentRedis } from './silent_redis.ts';

describe('a subscription to a Redis channel', () => {
  it('is not waited for longer than two seconds', async () => {
    const { silent, sockets, pubSub } = await silentRedis();
    const ms = await failedAfterMs(pubSub);
    for (const socket of sockets) socket.destroy();
    silent.close();
    expectGoal('a subscription to a silent Redis', ms, 3_500);
  });
});
