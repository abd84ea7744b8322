import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { run } from '../processes/command.ts';
import { clusterFolder } from './cluster.ts';
import { postgresUser } from '../processes/user.ts';

/** Unpacks a base backup into the cluster that `startPostgres({ folder })` starts. */
export async function unpackCluster(tar: string, folder: string): Promise<void> {
  const user = postgresUser();
  const cluster = clusterFolder(folder, user);
  const data = join(cluster, 'data');
  if (existsSync(data)) throw new Error(`There is a cluster in ${folder} already.`);

  // Renamed once complete, so that an unfinished cluster is never started.
  const part = `${data}.new`;
  rmSync(part, { recursive: true, force: true });
  await run('mkdir', ['-m', '700', part], { user, cwd: '/' });
  // Read by this process, because the user that runs PostgreSQL may not reach the file.
  const file = openSync(tar, 'r');
  const unpacking = spawn('tar', ['-xpf', '-', '-C', part], {
    ...user,
    cwd: '/',
    stdio: [file, 'ignore', 'pipe'],
  });
  closeSync(file);
  const failed = new Promise<boolean>((resolve) => {
    unpacking.on('error', () => resolve(true));
    unpacking.on('close', (code) => resolve(code !== 0));
  });
  const errors = await text(unpacking.stderr!);
  if (await failed) throw new Error(`${tar} could not be unpacked: ${errors.trim()}`);
  renameSync(part, data);
}
