import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

import { environmentWith, type Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../../local/paths.ts';
import { FLAGS } from '../../local/launcher/application_process.ts';

/** A process that the bench measures, or compares with. */
export interface Child {
  readonly pid: number;
  /** Its first message, sent when it is ready. */
  readonly ready: { readonly port: number };
  /** Sends a question and resolves with the answer. */
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly env: Environment;
  readonly logFile: string;
  /** Flags of Node, for profiles. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
}

export async function startChild(
  file: string,
  { env, logFile, flags = [], args = [] }: StartOptions,
): Promise<Child> {
  // The bundles of `npm start` are JavaScript.
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...flags, ...FLAGS, ...loader, file, ...args], {
    cwd: checkoutFolder,
    env: environmentWith(env),
    stdio: ['ignore', output, output, 'ipc'],
  });
  const ended = once(child, 'exit');
  let running = true;
  void ended.then(() => (running = false));
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as Child['ready']),
    ended.then(() => Promise.reject(new Error(`${file} ended:\n${readFileSync(logFile, 'utf8')}`))),
  ]);
  return {
    pid: child.pid!,
    ready,
    ask: <T>(question: object) => ask<T>(child, question),
    async stop() {
      child.kill('SIGTERM');
      if (running) await ended;
    },
  };
}

async function ask<T>(child: ChildProcess, question: object): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0] as T;
}
