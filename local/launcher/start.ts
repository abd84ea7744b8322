import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { BadSettings } from '../../shared/platform/config/environment.ts';
import { onStopSignal } from '../processes/signals.ts';
import { writeServersFile } from '../servers_file.ts';
import { runToEnd } from './application_process.ts';
import type { Launch, LaunchEntry } from './launch_entry.ts';
import { LAUNCH_LIST } from './launch_list.ts';
import { assertPortIsFree, provideSecrets, readLaunchSettings } from './launch_settings.ts';
import { lockDataDir } from './lock.ts';
import { build, linkTo, rebuild } from './rebuild.ts';
import { startServers } from './servers.ts';
import { supervise, type Service, type Supervision } from './supervisor.ts';
import { watchSources } from './watch_sources.ts';

/** `npm run dev`: built and started again whenever a source file changes. */
const isDevelopment = process.argv[2] === 'dev';

/** `npm start`: everything the marketplace needs, on one machine, until it gets a signal. */
async function start(): Promise<void> {
  const settings = await readLaunchSettings();
  atEnd.push(await lockDataDir(settings.dataDir));
  await assertPortIsFree(settings);
  const secrets = provideSecrets(settings);

  const [started, built] = await Promise.all([startServers(settings), build()]);
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
    built: isDevelopment ? linkTo(built, settings.dataDir) : built,
    stopping: stopping.signal,
  });
  await runToEnd('The migration', join(built, 'migrate.js'), launch.env);
  if (stopping.signal.aborted) return;

  // Only the migration acts as the owner of the tables.
  await run(entries, { ...launch, env: { ...launch.env, MIGRATION_DATABASE_URL: undefined } });
  if (!isDevelopment) return;
  const rebuilt = () => rebuild(launch.built, launch.env, restart);
  atEnd.push(watchSources(rebuilt));
  await rebuilt(); // of what has changed while all of it started
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
  welcome(launch);
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

/** Ends what was built here; its supervision starts it again, from the newest build. */
async function restart(): Promise<void> {
  await Promise.all(application.map((supervision) => supervision.restart()));
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

function welcome({ settings: { publicUrl: url }, env: { START_LINK: link } }: Launch): void {
  if (stopping.signal.aborted) return;
  console.log(`ready ${url}`);
  if (link) console.log(`Open ${url}/start?code=${link} (it signs you in as the operator, once)`);
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
