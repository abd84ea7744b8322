import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { startWithWatchdog } from '../../local/processes/watchdog.ts';
import { checkoutFolder } from '../../local/paths.ts';
import { signal } from '../../local/processes/running_processes.ts';
import { programArguments } from '../programs.ts';

/** A process of the platform that is restarted whenever it ends, as by a supervisor. */
export interface SupervisedProcess {
  readonly name: string;
  /** It logged that it is ready, and is not frozen. */
  isReady(): boolean;
  kill(): void;
  freeze(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const RESTART_DELAY_MS = 100;
const READY = /the API is listening|a worker takes jobs|the SOCKS5 server is open/;

/** Each start has a log of its own: `<log>.<n>`. */
export function supervise(
  name: string,
  { program, env, log }: { program: string; env: Record<string, string>; log: string },
): SupervisedProcess {
  let wanted = true;
  let starts = 0;
  let current: { pid: number; ready: boolean; frozen: boolean } | undefined;

  async function run(): Promise<void> {
    for (; wanted; await sleep(RESTART_DELAY_MS)) {
      const file = `${log}.${(starts += 1)}`;
      const output = openSync(file, 'a', 0o600);
      const guarded = startWithWatchdog(process.execPath, programArguments(program), {
        signal: 'TERM',
        output,
        cwd: checkoutFolder,
        env: { ...process.env, ...env },
      });
      closeSync(output);
      const started = { pid: (await guarded.pid) ?? -1, ready: false, frozen: false };
      current = started;
      if (!wanted) send(started.pid, 'SIGKILL'); // `stop` was called before the pid was known.
      const look = setInterval(() => {
        started.ready = READY.test(readFileSync(file, 'utf8'));
        if (started.ready) clearInterval(look);
      }, 50);
      await guarded.ended;
      clearInterval(look);
      current = undefined;
    }
  }
  const running = run();

  const send = (pid: number | undefined, which: NodeJS.Signals) => {
    if (pid !== undefined && pid > 0) signal(pid, which);
  };
  return {
    name,
    isReady: () => current !== undefined && current.ready && !current.frozen,
    kill: () => send(current?.pid, 'SIGKILL'),
    async freeze(ms) {
      const target = current;
      if (!target) return;
      target.frozen = true;
      send(target.pid, 'SIGSTOP');
      await sleep(ms);
      target.frozen = false;
      // By now its pid may belong to another process.
      if (current === target) send(target.pid, 'SIGCONT');
    },
    async stop() {
      wanted = false;
      send(current?.pid, 'SIGKILL');
      await running;
    },
  };
}
