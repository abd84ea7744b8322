import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { column, row } from '../../shared/platform/rows.ts';
import { quantile } from '../measure/statistics.ts';
import type { Deployment } from './deployments.ts';

/** Facts about the machine and servers on which the numbers were measured. */
export async function machineOf({ admin, config }: Deployment): Promise<string> {
  const database = await admin();
  const postgres = await row(
    database,
    { version: column.text, fsync: column.text, commit: column.text },
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commit`,
  );
  await database.destroy();
  const redis = new Redis(config.redisUrl);
  const [, version] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
  const [, appendOnly] = (await redis.config('GET', 'appendonly')) as string[];
  const [, appendFsync] = (await redis.config('GET', 'appendfsync')) as string[];
  redis.disconnect();
  const { version: release, fsync, commit } = postgres;
  return [
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `a flush to disk ${(await flushMs()).toFixed(2)} ms`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${release} (fsync ${fsync}, synchronous_commit ${commit})`,
    `Redis ${version} (appendonly ${appendOnly}, appendfsync ${appendFsync})`,
  ].join(' · ');
}

/** Median time to make a page of 8 kB durable in a file that does not grow, like WAL. */
async function flushMs(): Promise<number> {
  const folder = temporaryFolder();
  const file = openSync(join(folder.path, 'flush'), 'w');
  const page = Buffer.alloc(8_192);
  const times = Array.from({ length: 50 }, () => {
    const from = performance.now();
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    return performance.now() - from;
  });
  closeSync(file);
  await folder.remove();
  return quantile(times, 0.5);
}
