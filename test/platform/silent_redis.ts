import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { expect } from 'chai';

import { openLog } from '../../shared/platform/log.ts';
import { openPubSub, type PubSub } from '../../shared/platform/pubsub.ts';

/** A Redis that accepts connections and says nothing, and subscriptions to it. */
export async function silentRedis() {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.resume().on('close', () => sockets.delete(socket)));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pubSub = openPubSub(`redis://127.0.0.1:${port}`, openLog('silent', 'test'));
  return { silent, sockets, pubSub };
}

/** How long it takes until a subscription fails, in ms. */
export async function failedAfterMs(pubSub: PubSub): Promise<number> {
  const startedAt = performance.now();
  const failed = await pubSub.subscribe('any', () => undefined).catch((error: unknown) => error);
  expect(failed).to.be.instanceOf(Error);
  return performance.now() - startedAt;
}
