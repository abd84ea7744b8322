import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { checkout } from '../paths.ts';
import type { Part } from './supervisor.ts';

const DRAIN_MS = 7_000;
/** Of Node. What 256 requests hold while they wait fits into the space for young objects. */
export const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];

/** A process of the application that runs until it is stopped. */
export function program(name: string, file: string, env: Environment): Part {
  let child: ChildProcess | undefined;
  let end = Promise.resolve('never started');

  return {
    name,
    pid: () => child?.pid,
    async start() {
      const started = launch(file, env);
      child = started;
      end = endOf(started);
      const ready = once(started, 'message').then(() => undefined);
      const reason = await Promise.race([ready, end]);
      if (reason !== undefined) throw new Error(`ended before it was ready: ${reason}`);
    },
    ended: () => end,
    async stop() {
      child?.kill('SIGTERM');
      const drained = new AbortController();
      const late = sleep(DRAIN_MS, true, { signal: drained.signal }).catch(() => false);
      if ((await Promise.race([end.then(() => false), late])) === true) child?.kill('SIGKILL');
      drained.abort();
      await end;
    },
  };
}

/** Runs a program that ends by itself, and refuses to go on when it fails. */
export async function runToEnd(name: string, file: string, env: Environment): Promise<void> {
  const reason = await endOf(launch(file, env));
  if (reason !== DONE) throw new Error(`${name} failed (${reason}); what it said stands above.`);
}

const DONE = 'exit code 0';

/** The channel tells it that this process is gone, however it went; then it stops by itself. */
function launch(file: string, env: Environment): ChildProcess {
  return spawn(process.execPath, [...FLAGS, file], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}
