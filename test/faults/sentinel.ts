import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

import { freePort } from '../../local/ports.ts';
import { findRedis } from '../../local/redis/binary.ts';
import { startRedis } from '../../local/redis/redis.ts';
import { newPassword } from '../../local/stored_values.ts';
import { serverOf, type Server } from '../../local/processes/server.ts';
import { eventually } from '../harness.ts';

/** A primary, a replica, and a Sentinel that promotes the replica when there is no answer. */
export interface SentinelRedis {
  /** `redis+sentinel://…`. */
  readonly url: string;
  readonly primary: Server;
  /** The log of the Sentinel. */
  log(): string;
  close(): Promise<void>;
}

export async function openSentinelRedis(): Promise<SentinelRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'sentinel-'));
  const password = newPassword();
  const [primary, replica] = await Promise.all(
    ['primary', 'replica'].map((name) => startRedis({ folder: join(folder, name), password })),
  );
  const ports = [primary, replica].map((server) => Number(new URL(server!.url).port));
  const port = await freePort();
  const lines = [
    `port ${port}`,
    `dir "${folder}"`,
    `pidfile "${join(folder, 'sentinel.pid')}"`,
    `sentinel monitor market 127.0.0.1 ${ports[0]} 1`,
    `sentinel auth-pass market ${password}`,
    // Less than a Redis on a busy machine may need to answer, and it is taken to be down.
    'sentinel down-after-milliseconds market 2000',
    'sentinel failover-timeout market 5000',
  ];
  const configFile = join(folder, 'sentinel.conf');
  writeFileSync(configFile, lines.join('\n'));
  const client = new Redis(replica!.url);
  await client.config('SET', 'masterauth', password);
  await client.replicaof('127.0.0.1', ports[0]!);
  await eventually(
    () => client.info('replication'),
    (info) => info.includes('master_link_status:up'),
  );
  client.disconnect();
  const { file, env } = await findRedis();
  const logFile = join(folder, 'sentinel.log');
  const sentinel = serverOf({
    name: 'Sentinel',
    file,
    args: [configFile, '--sentinel'],
    signal: 'TERM',
    folder,
    pidFile: join(folder, 'sentinel.pid'),
    logFile,
    user: {},
    env: { ...process.env, ...env },
    isReady: () => readFileSync(logFile, 'utf8').includes('+monitor'),
    transientFault: /in use/i,
  });
  await sentinel.start();
  const asked = new Redis({ port });
  await eventually(
    () => asked.call('SENTINEL', 'replicas', 'market') as Promise<unknown[]>,
    (replicas) => replicas.length === 1,
  );
  asked.disconnect();
  return {
    url: `redis+sentinel://:${password}@127.0.0.1:${port}/market`,
    primary: primary!,
    log: () => readFileSync(logFile, 'utf8'),
    async close() {
      await Promise.all([sentinel.stop(), primary!.stop(), replica!.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
