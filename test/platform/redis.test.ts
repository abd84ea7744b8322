import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';

import { freePort } from '../../local/ports.ts';
import type { Server } from '../../local/processes/server.ts';
import { startRedis } from '../../local/redis/redis.ts';
import type { Log } from '../../shared/platform/log.ts';
import {
  redisForListening,
  redisForRequests,
  redisForWorkers,
  warnOfEviction,
} from '../../shared/platform/redis.ts';
import { eventually } from '../harness.ts';

describe('a Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let server: Server & { url: string };
  let redis: Redis;
  let logged: unknown[] = [];
  const log = {
    error: (fields: object) => logged.push(fields),
    warn: (_fields: object, text: string) => logged.push(text),
  } as unknown as Log;
  before(async () => {
    server = await startRedis({ folder });
    redis = redisForWorkers(server.url, log);
  });
  beforeEach(() => (logged = []));
  after(async () => {
    redis.disconnect();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('that may evict keys is logged as an error, and one that may not is not', async () => {
    await warnOfEviction(redis, log);
    expect(logged).to.deep.equal([]);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await warnOfEviction(redis, log);
    expect(logged).to.deep.equal([{ policy: 'allkeys-lru' }]);
  });

  it('that refuses to renew a subscription is logged, and ends no process', async () => {
    const allow = (...rules: string[]) => redis.acl('SETUSER', 'listener', ...rules);
    await allow('on', '>secret', '+@all', '&*');
    const url = new URL(server.url);
    [url.username, url.password] = ['listener', 'secret'];
    const listener = redisForListening(url.href, log);
    const received: string[] = [];
    listener.on('message', (_channel, text) => received.push(text));
    await listener.subscribe('news');
    // Redis closes the connections of a user that may not listen any more.
    await allow('resetchannels');
    await eventually(
      async () => logged,
      (texts) => texts.includes('Redis refuses a subscription'),
    );
    await allow('&*');
    await listener.subscribe('news');
    await redis.publish('news', 'again');
    await eventually(
      async () => received,
      (texts) => texts.includes('again'),
    );
    listener.disconnect();
  });

  it('keeps its connection to a process that stood still for five seconds', async () => {
    const connection = redisForRequests(server.url, log, 800);
    await once(connection, 'ready');
    const { stream } = connection;
    const stand = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    stand(600); // It is time to look at the connection, and the second turn from here has done so.
    await setImmediate();
    await setImmediate();
    stand(4_600);
    await eventually(
      async () => connection.ping().catch(String),
      (answer) => answer === 'PONG',
    );
    expect(connection.stream).to.equal(stream);
    expect(logged).to.deep.equal([]);
    connection.disconnect();
  });

  it('that is away lets a connection end, also one that BullMQ made of another', async () => {
    const connection = redisForWorkers(`redis://127.0.0.1:${await freePort()}`, log);
    const blocking = connection.duplicate();
    blocking.on('error', () => undefined);
    for (const one of [connection, blocking]) {
      await eventually(
        async () => one.status,
        (status) => status === 'reconnecting',
      );
      one.disconnect();
      await once(one, 'end');
    }
  });
});
