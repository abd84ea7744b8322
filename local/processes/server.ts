import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { guard, type Guarded } from './watchdog.ts';
import { processesIn, signal } from './running_processes.ts';
import type { User } from './user.ts';

/** A real server below this process: for `npm start`, for tests, and for drills that hurt it. */
export interface Server {
  readonly name: string;
  /** PostgreSQL: as superuser, database `market`. */
  readonly url: string;
  readonly port: number;
  /** The server itself, not the shell that guards it. */
  pid(): number;
  /** SIGKILL, SIGSTOP, SIGCONT … */
  kill(signal: NodeJS.Signals): void;
  /** Ends it in good order. Its data stay. */
  stop(): Promise<void>;
  /** Starts it again: same port, same data, same passwords. Resolves when it takes connections. */
  start(): Promise<void>;
  /** Resolves, with the reason, when the server that runs now has ended. */
  ended(): Promise<string>;
}

export interface Recipe {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly signal: 'INT' | 'TERM';
  /** The folder it works in: how a predecessor that still runs is found. */
  readonly folder: string;
  readonly pidFile: string;
  readonly logFile: string;
  readonly user: User;
  readonly env: Readonly<Record<string, string | undefined>>;
  isReady(pid: number): boolean | Promise<boolean>;
  /** What its log says when trying again a moment later will do. */
  readonly passing: RegExp;
}

const START_MS = 30_000;
// Longer than a guard takes to end a server whose launcher was killed.
const PREDECESSOR_MS = 5_000;

export function serverOf(recipe: Recipe): Omit<Server, 'url' | 'port'> {
  let current: { pid: number; guarded: Guarded } | undefined;
  let wanted = false;

  async function start() {
    wanted = true;
    await predecessorsGone(recipe);
    const deadline = Date.now() + START_MS;
    for (;;) {
      if (!wanted) throw new Error(`${recipe.name} was stopped while it started.`);
      const logFrom = sizeOf(recipe.logFile);
      const guarded = launch(recipe);
      const pid = (await guarded.pid) ?? -1;
      current = { pid, guarded };
      if (await becomesReady(recipe, { pid, guarded, deadline })) return;

      await guarded.stop();
      const log = readFileSync(recipe.logFile).subarray(logFrom).toString().trim();
      if (Date.now() > deadline || !recipe.passing.test(log)) {
        throw new Error(`${recipe.name} did not start. Its log, ${recipe.logFile}, says:\n${log}`);
      }
      await sleep(50);
    }
  }

  return {
    name: recipe.name,
    pid: () => current?.pid ?? -1,
    kill: (signal) => void process.kill(current?.pid ?? Number.NaN, signal),
    start,
    async stop() {
      wanted = false;
      await current?.guarded.stop();
    },
    async ended() {
      const code = await current?.guarded.ended;
      // A killed server leaves helpers, and a killed guard its server; both would be in the way.
      for (const pid of processesIn(recipe.folder, recipe.pidFile)) signal(pid, 'SIGKILL');
      return code !== undefined && code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
    },
  };
}

function launch({ file, args, logFile, ...options }: Recipe): Guarded {
  const output = openSync(logFile, 'a', 0o600);
  try {
    return guard(file, args, { ...options, output });
  } finally {
    closeSync(output);
  }
}

interface Start {
  readonly pid: number;
  readonly guarded: Guarded;
  readonly deadline: number;
}

async function becomesReady(recipe: Recipe, { pid, guarded, deadline }: Start) {
  let over = false;
  void guarded.ended.then(() => (over = true));
  while (!over && Date.now() < deadline) {
    if (await recipe.isReady(pid)) return true;
    await sleep(10);
  }
  return false;
}

/** After a crash of the launcher its servers are still ending: two on one folder would spoil it. */
async function predecessorsGone({ name, folder, pidFile }: Recipe): Promise<void> {
  const deadline = Date.now() + PREDECESSOR_MS;
  for (;;) {
    const [pid] = processesIn(folder, pidFile);
    // The file may name a process that is dead and not yet buried, which PostgreSQL respects.
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
