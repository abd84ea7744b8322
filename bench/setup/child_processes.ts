import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

import { environmentWith, type Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../../local/paths.ts';
import { FLAGS } from '../../local/launcher/application_process.ts';

/** A process that the bench measures, or measures against. */
export interface Child {
  readonly pid: number;
  /** The first thing that it said: that it is ready, and where. */
  readonly said: { readonly port: number };
  /** Sends a question and hears the answer. */
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
}

interface Start {
  readonly env: Environment;
  readonly logFile: string;
  /** Of Node, for profiles. */
  readonly flags: readonly string[];
}

export async function startChild(file: string, { env, logFile, flags }: Start): Promise<Child> {
  // What `npm start` builds runs as it is.
  const translated = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...flags, ...FLAGS, ...translated, file], {
    cwd: checkoutFolder,
    env: environmentWith(env),
    stdio: ['ignore', output, output, 'ipc'],
  });
  const ended = once(child, 'exit');
  let running = true;
  void ended.then(() => (running = false));
  const said = await Promise.race([
    once(child, 'message').then(([message]) => message as Child['said']),
    ended.then(() => Promise.reject(new Error(`${file} ended:\n${readFileSync(logFile, 'utf8')}`))),
  ]);
  return {
    pid: child.pid!,
    said,
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
