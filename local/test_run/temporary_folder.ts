import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sharedFolder } from '../paths.ts';
import { canReach, postgresUser } from '../processes/user.ts';

// A line on stdin: it removes the folder at once. No line, because this process was killed: it
// removes it for three seconds, because what ran here is still ending and may write once more.
const REMOVER = `
if read -r _; then rounds=1; else rounds=30; fi
while [ $rounds -gt 0 ]; do
  rm -rf "$1" 2>/dev/null
  rounds=$((rounds - 1))
  [ $rounds -eq 0 ] || sleep 0.1
done`;

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

interface TemporaryFolderOptions {
  /** For servers whose data no test reads from a disk: in memory, where there is much of it. */
  readonly inMemory?: boolean;
}

/** A folder that is removed when this process ends, for whatever reason: a shell waits for that. */
export function temporaryFolder({
  inMemory = false,
}: TemporaryFolderOptions = {}): TemporaryFolder {
  const path =
    (inMemory && hasMuchMemory() ? inReachOfPostgres(MEMORY) : undefined) ??
    inReachOfPostgres(tmpdir()) ??
    inReachOfPostgres(sharedFolder());
  if (!path) throw new Error('The user that runs PostgreSQL can reach no folder. Set TMPDIR.');

  const remover = spawn('/bin/sh', ['-c', REMOVER, 'remover', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(remover, 'exit');
  return {
    path,
    async remove() {
      remover.stdin.end('now\n');
      await ended;
    },
  };
}

/**
 * A file system in memory, which Linux has. A database of a test is a thousand new files: on a disk
 * they take a third of a second of a core, and there a tenth of that.
 */
const MEMORY = '/dev/shm';
/** Several times what all servers of `npm test` store at once. */
const FREE_BYTES_MIN = 6 * 2 ** 30;

function hasMuchMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= FREE_BYTES_MIN;
}

/** PostgreSQL may run as another user, which must pass through it to the cluster. */
function inReachOfPostgres(parent: string): string | undefined {
  if (!existsSync(parent)) return undefined; // TMPDIR may name a folder that is not there.
  const path = mkdtempSync(join(parent, 'agent-marketplace-test-'));
  chmodSync(path, 0o711);
  if (canReach(path, postgresUser())) return path;
  rmdirSync(path);
  return undefined;
}
