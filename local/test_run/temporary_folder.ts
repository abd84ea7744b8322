import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openFolder } from '../paths.ts';
import { canReach, postgresUser } from '../processes/user.ts';

// Told to, it removes the folder at once. Told nothing, because this process was killed, it goes
// on for a while: whatever ran here is still ending, and may write once more.
const SWEEPER = `
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

/** A folder that goes when this process goes, however it goes: a shell waits beside it. */
export function temporaryFolder(): TemporaryFolder {
  const path = inReachOfPostgres(tmpdir()) ?? inReachOfPostgres(openFolder());
  if (!path) throw new Error(`The user who runs PostgreSQL can reach no folder. Set TMPDIR.`);

  const sweeper = spawn('/bin/sh', ['-c', SWEEPER, 'sweeper', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(sweeper, 'exit');
  return {
    path,
    async remove() {
      sweeper.stdin.end('now\n');
      await ended;
    },
  };
}

/** PostgreSQL may run as another user, who must pass through it to the cluster. */
function inReachOfPostgres(parent: string): string | undefined {
  const path = mkdtempSync(join(parent, 'agent-marketplace-test-'));
  chmodSync(path, 0o711);
  if (canReach(path, postgresUser())) return path;
  rmdirSync(path);
  return undefined;
}
