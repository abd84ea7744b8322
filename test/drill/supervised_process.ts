import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { guard } from '../../local/processes/watchdog.ts';
import { checkout } from '../../local/paths.ts';
import { signal } from '../../local/processes/running_processes.ts';

/** A process of the platform that is started again whenever it ends, as a supervisor would. */
export interface Kept {
  readonly name: string;
  /** Said that it is ready, and is not frozen. */
  isWell(): boolean;
  kill(): void;
  freeze(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const AGAIN_MS = 100;
const READY = /the API listens|a worker takes jobs/;

/** Each start has a log of its own: `<log>.<n>`. */
export function keepRunning(
  name: string,
  { program, env, log }: { program: string; env: Record<string, string>; log: string },
): Kept {
  let wanted = true;
  let starts = 0;
  let current: { pid: number; ready: boolean; frozen: boolean } | undefined;

  async function keep(): Promise<void> {
    for (; wanted; await sleep(AGAIN_MS)) {
      const file = `${log}.${(starts += 1)}`;
      const output = openSync(file, 'a', 0o600);
      const guarded = guard(process.execPath, ['--import', 'tsx', program], {
        signal: 'TERM',
        output,
        cwd: checkout,
        env: { ...process.env, ...env },
      });
      closeSync(output);
      const mine = { pid: (await guarded.pid) ?? -1, ready: false, frozen: false };
      current = mine;
      if (!wanted) tell(mine.pid, 'SIGKILL'); // Whoever stopped it did not know it yet.
      const look = setInterval(() => {
        mine.ready = READY.test(readFileSync(file, 'utf8'));
        if (mine.ready) clearInterval(look);
      }, 50);
      await guarded.ended;
      clearInterval(look);
      current = undefined;
    }
  }
  const kept = keep();

  const tell = (pid: number | undefined, which: NodeJS.Signals) => {
    if (pid !== undefined && pid > 0) signal(pid, which);
  };
  return {
    name,
    isWell: () => current !== undefined && current.ready && !current.frozen,
    kill: () => tell(current?.pid, 'SIGKILL'),
    async freeze(ms) {
      const mine = current;
      if (!mine) return;
      mine.frozen = true;
      tell(mine.pid, 'SIGSTOP');
      await sleep(ms);
      mine.frozen = false;
      // Its number may be somebody else's by now.
      if (current === mine) tell(mine.pid, 'SIGCONT');
    },
    async stop() {
      wanted = false;
      tell(current?.pid, 'SIGKILL');
      await kept;
    },
  };
}
