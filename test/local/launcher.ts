import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { descendantsOf, runs } from './process_tree.ts';

/** Which program of which checkout is launched. */
interface Launched {
  readonly checkout?: string;
  readonly program?: 'start' | 'dev';
}

/** Polls until there is an answer; mocha's timeout is the limit. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await sleep(20);
  }
}

/** `npm start` as a process of its own, in a data folder of its own, on any free port. */
export function launch(
  dataDir: string,
  settings: Record<string, string> = {},
  { checkout = join(import.meta.dirname, '../..'), program = 'start' }: Launched = {},
) {
  const child = spawn(process.execPath, ['local/bootstrap.mjs', program], {
    cwd: checkout,
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...settings },
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  // `close`: when all of its output has arrived, from its child processes too.
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const pid = child.pid!;

  return {
    pid,
    exit,
    output: () => output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    descendants: () => descendantsOf(pid),
    /** Resolves with the URL; rejects with the output when the launcher ends before. */
    async ready(): Promise<string> {
      const url = () => output.match(/^ready (http:\S+)$/m)?.[1];
      const ended = exit.then((code) => Promise.reject(new Error(`exit code ${code}\n${output}`)));
      return Promise.race([eventually(url), ended]);
    },
    servers: () => JSON.parse(readFileSync(join(dataDir, 'servers.json'), 'utf8')) as Servers,
  };
}

export type Launcher = ReturnType<typeof launch>;

interface Servers {
  readonly databaseUrl: string;
  readonly migrationDatabaseUrl: string;
  readonly redisUrl: string;
  readonly publicUrl: string;
}

/** Resolves when none of these processes runs any more. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await eventually(() => pids.every((pid) => !runs(pid)));
}
