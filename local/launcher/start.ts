import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { BadSettings } from '../../shared/platform/config/environment.ts';
import { buildCached } from '../build.mjs';
import { cacheFolder } from '../paths.ts';
import { onStopSignal } from '../processes/signals.ts';
import { writeServersFile } from '../servers_file.ts';
import { runToEnd } from './application_process.ts';
import type { Launch, LaunchEntry } from './launch_entry.ts';
import { LAUNCH_LIST } from './launch_list.ts';
import {
  assertPortIsFree,
  provideSecrets,
  readLaunchSettings,
  type LaunchSettings,
} from './launch_settings.ts';
import { lockDataDir } from './lock.ts';
import { startServers } from './servers.ts';
import { supervise, type Service, type Supervision } from './supervisor.ts';

/** `npm start`: everything the marketplace needs, on one machine, until it gets a signal. */
async function start(): Promise<void> {
  const settings = await readLaunchSettings();
  atEnd.push(await lockDataDir(settings.dataDir));
  await assertPortIsFree(settings);
  const secrets = provideSecrets(settings);

  const [started, built] = await Promise.all([
    startServers(settings),
    buildCached(join(cacheFolder, 'build')),
  ]);
  servers.push(...started.servers.map((server) => supervise(server, { isStarted: true })));
  const { DATABASE_URL, MIGRATION_DATABASE_URL, REDIS_URL } = started.env;
  atEnd.push(
    writeServersFile(settings.dataDir, {
      databaseUrl: DATABASE_URL,
      migrationDatabaseUrl: MIGRATION_DATABASE_URL,
      redisUrl: REDIS_URL,
      publicUrl: settings.publicUrl,
    }),
  );

  const entries = LAUNCH_LIST.filter(({ when }) => when(settings));
  const env = { ...settings.env, ...secrets, ...started.env };
  const launch = await withEnvironment(entries, {
    settings,
    env,
    built,
    stopping: stopping.signal,
  });
  await runToEnd('The migration', join(built, 'migrate.js'), launch.env);
  if (stopping.signal.aborted) return;

  // Only the migration acts as the owner of the tables.
  await run(entries, { ...launch, env: { ...launch.env, MIGRATION_DATABASE_URL: undefined } });
}

async function withEnvironment(entries: readonly LaunchEntry[], launch: Launch): Promise<Launch> {
  let { env } = launch;
  for (const entry of entries) env = { ...env, ...(await entry.env?.({ ...launch, env })) };
  return { ...launch, env };
}

async function run(entries: readonly LaunchEntry[], launch: Launch): Promise<void> {
  for (const entry of entries) {
    const services = await entry.start(launch).catch((error: Error) => {
      throw new Error(`${entry.name}: ${error.message}`, { cause: error });
    });
    application.push(...services.map((service) => supervise(service)));
  }
  // Beside the others, because each of them spends its first second loading modules.
  const seeded = launch.settings.demo
    ? runToEnd('The demo catalogue', join(launch.built, 'seed.js'), launch.env)
    : undefined;
  await Promise.all([seeded, ...application.map(({ ready }) => ready)]);
  await untilReady(`${launch.settings.url}/readyz`);
  welcome(launch.settings);
  for (const entry of entries) {
    const services = (await entry.onReady?.(launch)) ?? [];
    if (!stopping.signal.aborted) application.push(...services.map(superviseLate));
  }
}

// The application stops first, so that it can still write down what it has in hand.
const application: Supervision[] = [];
const servers: Supervision[] = [];
const atEnd: (() => void)[] = [];
const stopping = new AbortController();
const STOP_MS = 9_800;

async function stop(code: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  // Whatever hangs, the watchdogs end the servers and the closed channels end the application.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await Promise.all(application.map((supervision) => supervision.stop()));
  await Promise.all(servers.map((supervision) => supervision.stop()));
  for (const act of atEnd.toReversed()) act();
  process.exit(code);
}

/** Whoever uses the marketplace need not wait for it, nor do without, if it does not start. */
function superviseLate(service: Service): Supervision {
  const supervision = supervise(service);
  supervision.ready.catch((error: Error) => console.log(`Left out: ${error.message}`));
  return supervision;
}

async function untilReady(url: string): Promise<void> {
  const report = setInterval(() => console.log(`Waiting for ${url} to answer 200 …`), 5_000);
  let status: number | undefined;
  while (status !== 200) {
    status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== 200) await sleep(50);
  }
  clearInterval(report);
}

function welcome({ publicUrl: url }: LaunchSettings): void {
  if (stopping.signal.aborted) return;
  console.log(`ready ${url}`);
  console.log(
    `Next: curl -s ${url}/api/v1/agent/register -H 'Content-Type: application/json' ` +
      `-d '{"username":"ada","email":"ada@example.com","password":"correct-horse-battery"}'`,
  );
}

onStopSignal(
  () => void stop(0),
  () => process.exit(1),
);
try {
  await start();
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(
      error instanceof BadSettings ? error.message : `Not started: ${(error as Error).message}`,
    );
    await stop(1);
  }
}
