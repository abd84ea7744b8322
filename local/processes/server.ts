import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { processesIn, signal } from './running_processes.ts';
import type { User } from './user.ts';
import { startWithWatchdog, type WatchedProcess } from './watchdog.ts';

/** A real server as a child process: for `npm start`, tests, and drills that inject faults. */
export interface Server {
  readonly name: string;
  /** URL; for PostgreSQL as superuser, database `market`. */
  readonly url: string;
  readonly port: number;
  /** Pid of the server itself, not of its watchdog. */
  pid(): number;
  /** SIGKILL, SIGSTOP, SIGCONT … */
  kill(signal: NodeJS.Signals): void;
  /** Shuts it down. Its data stay. */
  stop(): Promise<void>;
  /** Restarts it: same port, same data, same passwords. Resolves when it takes connections. */
  start(): Promise<void>;
  /** Resolves, with the reason, when the current server has ended. */
  ended(): Promise<string>;
}

interface ServerDefinition {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly signal: 'INT' | 'TERM';
  /** Folder in which it works: a running predecessor is found by it. */
  readonly folder: string;
  /** That folder, if the server does not change into it by itself. */
  readonly cwd?: string;
  readonly pidFile: string;
  readonly logFile: string;
  readonly user: User;
  readonly env: Readonly<Record<string, string | undefined>>;
  isReady(pid: number): boolean | Promise<boolean>;
  /** Log line after which another attempt a moment later will succeed. */
  readonly transientFault: RegExp;
}

const START_MS = 30_000;
// Longer than a watchdog takes to end a server whose launcher was killed.
const PREDECESSOR_MS = 5_000;

export function serverOf(definition: ServerDefinition): Omit<Server, 'url' | 'port'> {
  let current: { pid: number; watched: WatchedProcess } | undefined;
  let wanted = false;

  async function start() {
    wanted = true;
    await predecessorsGone(definition);
    const deadline = Date.now() + START_MS;
    for (;;) {
      if (!wanted) throw new Error(`${definition.name} was stopped while it started.`);
      const logFrom = sizeOf(definition.logFile);
      const watched = launch(definition);
      const pid = (await watched.pid) ?? -1;
      current = { pid, watched };
      if (await becomesReady(definition, { pid, watched, deadline })) return;

      await watched.stop();
      const log = readFileSync(definition.logFile).subarray(logFrom).toString().trim();
      if (Date.now() > deadline || !definition.transientFault.test(log)) {
        throw new Error(
          `${definition.name} did not start. Its log, ${definition.logFile}, says:\n${log}`,
        );
      }
      await sleep(50);
    }
  }

  return {
    name: definition.name,
    pid: () => current?.pid ?? -1,
    kill: (signal) => void process.kill(current?.pid ?? Number.NaN, signal),
    start,
    async stop() {
      wanted = false;
      await current?.watched.stop();
    },
    async ended() {
      const code = await current?.watched.ended;
      // A killed server leaves child processes, and a killed watchdog its server: both would hold
      // the port and the data.
      for (const pid of processesIn(definition.folder, definition.pidFile)) signal(pid, 'SIGKILL');
      return code !== undefined && code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
    },
  };
}

function launch({ file, args, logFile, ...options }: ServerDefinition): WatchedProcess {
  const output = openSync(logFile, 'a', 0o600);
  try {
    return startWithWatchdog(file, args, { ...options, output });
  } finally {
    closeSync(output);
  }
}

async function becomesReady(
  definition: ServerDefinition,
  { pid, watched, deadline }: { pid: number; watched: WatchedProcess; deadline: number },
) {
  let hasEnded = false;
  void watched.ended.then(() => (hasEnded = true));
  while (!hasEnded && Date.now() < deadline) {
    if (await definition.isReady(pid)) return true;
    await sleep(10);
  }
  return false;
}

/** Waits for servers of a crashed launcher: two on one folder would damage it. */
async function predecessorsGone({ name, folder, pidFile }: ServerDefinition): Promise<void> {
  const deadline = Date.now() + PREDECESSOR_MS;
  for (;;) {
    const [pid] = processesIn(folder, pidFile);
    // The file may name a zombie, which PostgreSQL takes for a running server.
    if (pid === undefined) return rmSync(pidFile, { force: true });
    if (Date.now() > deadline) {
      throw new Error(`${name} already runs on ${folder}, as process ${pid}. Stop that one first.`);
    }
    await sleep(50);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
