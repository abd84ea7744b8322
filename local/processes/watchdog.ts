import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { signal } from './running_processes.ts';
import type { User } from './user.ts';

/**
 * The watchdog is a shell that reads from a pipe which this process holds open. When this process
 * ends, for whatever reason, SIGKILL included, the pipe closes and the shell ends its command: by
 * the stop signal, and by SIGKILL two seconds later. The stop signal is followed by SIGCONT, or a
 * stopped process would never get it.
 */
const SCRIPT = `
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
command=$!
echo $command >&3
exec 3>&-
{
  read -r _ <&4
  kill -s "$STOP_SIGNAL" $command; kill -s CONT $command
  checks=0
  while [ $checks -lt 20 ] && kill -0 $command; do sleep 0.1; checks=$((checks + 1)); done
  kill -s KILL $command
} 2>/dev/null &
watch=$!
exec 4<&-
wait $command
code=$?
kill $watch 2>/dev/null
exit $code`;

interface WatchOptions {
  /** Signal that makes the command end. */
  readonly signal: 'INT' | 'TERM';
  readonly output: number | 'inherit';
  readonly user?: User;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True: the command is Node and receives messages (`channel`). */
  readonly channel?: boolean;
}

export interface WatchedProcess {
  /** Process for `send` and the event `message`, if a channel was requested. */
  readonly channel: ChildProcess;
  /** Pid of the command itself, not of its watchdog. Undefined if it did not start. */
  readonly pid: Promise<number | undefined>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Sends the stop signal, and SIGKILL after two seconds. */
  stop(): Promise<number>;
}

/**
 * Runs a command that must not outlive this process. It has a session of its own, so that a Ctrl-C
 * in the terminal reaches only the application, which can drain before its servers end.
 */
export function startWithWatchdog(
  file: string,
  args: readonly string[],
  options: WatchOptions,
): WatchedProcess {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', file, ...args], {
    ...options.user,
    cwd: options.cwd ?? '/',
    env: { ...(options.env ?? environmentWith({})), STOP_SIGNAL: options.signal },
    detached: true,
    // The shell uses descriptor 4, and leaves 5 to the command, whose environment names it.
    stdio: [
      'pipe',
      options.output,
      options.output,
      'pipe',
      ...(options.channel ? (['ignore', 'ipc'] as const) : []),
    ],
  });
  const ended = new Promise<number>((resolve) => {
    shell.once('error', () => resolve(127));
    shell.once('exit', (code) => resolve(code ?? 128));
  });
  // Also if only the shell was killed: the rest of it then stops the command.
  void ended.then(() => shell.stdin?.end());
  shell.stdin?.on('error', () => undefined);
  const pid = firstNumber(shell.stdio[3] as Readable);
  return {
    channel: shell,
    pid,
    ended,
    async stop() {
      shell.stdin?.end();
      const forced = setTimeout(() => void pid.then(killHard), FORCE_MS);
      const code = await ended;
      clearTimeout(forced);
      return code;
    },
  };
}

// For a watchdog that was itself killed or stopped: longer than it would have taken.
const FORCE_MS = 2_300;

function killHard(pid: number | undefined): void {
  if (pid !== undefined) signal(pid, 'SIGKILL');
}

function firstNumber(stream: Readable): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (data) => (text += data));
    stream.on('error', () => resolve(undefined));
    stream.on('close', () => resolve(Number.parseInt(text, 10) || undefined));
  });
}
