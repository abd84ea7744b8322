import { spawn } from 'node:child_process';

import type { User } from './user.ts';

interface CommandOptions {
  readonly user?: User;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly timeoutMs?: number;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly out: string;
  /** Both streams, in the order in which they were written. */
  readonly all: string;
}

/** Runs a command to its end and never throws: callers decide what a failure means. */
export function run(file: string, args: readonly string[], options: CommandOptions = {}) {
  return new Promise<CommandResult>((resolve) => {
    const child = spawn(file, args, {
      ...options.user,
      cwd: options.cwd,
      env: options.env,
      timeout: options.timeoutMs,
    });
    let out = '';
    let all = '';
    child.stdout.on('data', (text) => {
      out += text;
      all += text;
    });
    child.stderr.on('data', (text) => (all += text));
    child.on('error', (error) => resolve({ ok: false, out, all: `${all}${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, out, all }));
    // A command that ends without reading its input closes the pipe; its exit code says the rest.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
