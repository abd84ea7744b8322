import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import type { TestPlatform } from '../harness.ts';
import { NO_RATE_LIMITS } from '../no_rate_limits.ts';
import { patience } from '../platform/pace.ts';
import { patientLimits } from '../platform/patient_limits.ts';
import { programArguments } from '../programs.ts';

/** For the platform too: `TestPlatform.open({ env: { MASTER_KEYS } })`. */
export const MASTER_KEYS = newMasterKey('process');

export interface ApiProcess {
  readonly child: ChildProcess;
  /** All that it has written so far. */
  readonly written: { text: string };
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

/** The API as a process of its own, on the platform's database. */
export function launch(
  platform: TestPlatform,
  env: Record<string, string> = {},
  main = 'api/main.ts',
): ApiProcess {
  const { databaseUrl, redisUrl, agents } = platform.config;
  const child = spawn(process.execPath, programArguments(main), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN: agents.operators[0]!.token,
      MASTER_KEYS,
      LOG_LEVEL: 'info',
      TEST_SLOWNESS: String(patience(1_000) / 1_000),
      ...patientLimits(),
      ...NO_RATE_LIMITS,
      ...env,
    },
  });
  const written = { text: '' };
  child.stdout!.on('data', (chunk: Buffer) => (written.text += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (written.text += chunk.toString()));
  return { child, written, exit: once(child, 'exit') as ApiProcess['exit'] };
}

/** Its URL, when it is listening. Throws what it has written if it ends before. */
export async function urlOf({ child, exit, written }: ApiProcess): Promise<string> {
  const ended = exit.then(() => Promise.reject(new Error(`The API ended: ${written.text}`)));
  ended.catch(() => undefined);
  const listening = once(child, 'message') as Promise<[{ port: number }]>;
  const [{ port }] = await Promise.race([listening, ended]);
  return `http://127.0.0.1:${port}`;
}
