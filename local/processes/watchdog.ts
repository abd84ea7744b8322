import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { signal } from './running_processes.ts';
import type { User } from './user.ts';

/**
 * The shell reads from a pipe that this process holds open. When this process goes, however it
 * goes, SIGKILL included, the pipe closes and the shell stops its command: asks first, insists
 * after two seconds. The signal is followed by SIGCONT, or a stopped process would never see it.
 */
const SCRIPT = `
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
command=$!
echo $command >&3
exec 3>&-
{
  read -r _ <&4
  kill -s "$GUARD_SIGNAL" $command; kill -s CONT $command
  tries=0
  while [ $tries -lt 20 ] && kill -0 $command; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL $command
} 2>/dev/null &
watch=$!
exec 4<&-
wait $command
code=$?
kill $watch 2>/dev/null
exit $code`;

export interface GuardOptions {
  /** What asks the command to end. */
  readonly signal: 'INT' | 'TERM';
  readonly output: number | 'inherit';
  readonly user?: User;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Guarded {
  /** Of the command itself, not of the shell that guards it. Undefined when it did not start. */
  readonly pid: Promise<number | undefined>;
  readonly ended: Promise<number>;
  /** Asks the command to end, and insists after two seconds. */
  stop(): Promise<number>;
}

/**
 * Runs a command that must not outlive this process. It has a session of its own, so that a
 * Ctrl-C in the terminal reaches the application only, which can drain before its servers go.
 */
export function guard(file: string, args: readonly string[], options: GuardOptions): Guarded {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', file, ...args], {
    ...options.user,
    cwd: options.cwd ?? '/',
    env: { ...(options.env ?? environmentWith({})), GUARD_SIGNAL: options.signal },
    detached: true,
    stdio: ['pipe', options.output, options.output, 'pipe'],
  });
  const ended = new Promise<number>((resolve) => {
    shell.once('error', () => resolve(127));
    shell.once('exit', (code) => resolve(code ?? 128));
  });
  // Also when the shell alone was killed: what is left of it then stops the command.
  void ended.then(() => shell.stdin?.end());
  shell.stdin?.on('error', () => undefined);
  const pid = firstNumber(shell.stdio[3] as Readable);
  return {
    pid,
    ended,
    async stop() {
      shell.stdin?.end();
      const unguarded = setTimeout(() => void pid.then(killHard), INSIST_MS);
      const code = await ended;
      clearTimeout(unguarded);
      return code;
    },
  };
}

// For a guard that was itself killed or stopped: longer than it would have taken.
const INSIST_MS = 2_300;

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
