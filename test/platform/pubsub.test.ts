import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';

import { openPubSub } from '../../shared/platform/pubsub.ts';
import { openLog } from '../../shared/platform/log.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { eventually } from '../harness.ts';

describe('a subscription to a Redis channel', () => {
  it('is not waited for longer than two seconds, and leaves no connection', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket.resume().on('close', () => sockets.delete(socket)));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const pubSub = openPubSub(`redis://127.0.0.1:${port}`, openLog('silent', 'test'));
    const startedAt = performance.now();
    const failed = await pubSub.subscribe('any', () => undefined).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(performance.now() - startedAt).to.be.within(1_900, 3_500);
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
