import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../paths.ts';
import type { Service } from './supervisor.ts';

const DRAIN_MS = 7_000;
/** Flags of Node. Objects of 256 waiting requests fit into the space for young objects. */
export const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];

/** A process of the application, which runs until it is stopped and reports when it is ready. */
export function applicationProcess(name: string, file: string, env: Environment): Service {
  let child: ChildProcess | undefined;
  let end = Promise.resolve('never started');

  return {
    name,
    isBuilt: true,
    pid: () => child?.pid,
    async start() {
      const started = spawnNode(file, env);
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
      const timeout = sleep(DRAIN_MS, true, { signal: drained.signal }).catch(() => false);
      if ((await Promise.race([end.then(() => false), timeout])) === true) child?.kill('SIGKILL');
      drained.abort();
      await end;
    },
  };
}

/** Runs a program that ends by itself. Throws when it fails. */
export async function runToEnd(name: string, file: string, env: Environment): Promise<void> {
  const reason = await endOf(spawnNode(file, env));
  if (reason !== SUCCESS) throw new Error(`${name} failed (${reason}); its output stands above.`);
}

const SUCCESS = 'exit code 0';

/** The IPC channel closes when this process ends, for whatever reason; then the child stops. */
function spawnNode(file: string, env: Environment): ChildProcess {
  return spawn(process.execPath, [...FLAGS, file], {
    cwd: checkoutFolder,
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
