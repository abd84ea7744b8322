import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { BadSettings } from '../../shared/platform/config/environment.ts';
import { buildCached } from '../build.mjs';
import { startDemoProxies } from '../demo/proxies.ts';
import { lock } from './lock.ts';
import { cacheFolder } from '../paths.ts';
import { program, runToEnd } from './application_process.ts';
import { noteServers, startServers } from './servers.ts';
import {
  assertPortIsFree,
  provideSecrets,
  readLaunchSettings,
  type LaunchSettings,
} from './launch_settings.ts';
import { onRequestToEnd } from '../processes/signals.ts';
import { keepRunning, type Keeper } from './supervisor.ts';

/** `npm start`: everything the marketplace needs, on one machine, until it is told to stop. */
async function start(): Promise<void> {
  const settings = await readLaunchSettings();
  atEnd.push(await lock(settings.dataDir));
  await assertPortIsFree(settings);
  const secrets = provideSecrets(settings);

  const [servers, built] = await Promise.all([
    startServers(settings),
    buildCached(join(cacheFolder, 'build')),
  ]);
  lower.push(...servers.started.map((server) => keepRunning(server, { isStarted: true })));
  atEnd.push(noteServers(settings, servers.env));

  const demo = settings.demoProxies ? await startDemoProxies(settings) : {};
  const all = { ...settings.env, ...secrets, ...servers.env, ...demo };
  await runToEnd('The migration', join(built, 'migrate.js'), all);
  if (stopping) return;

  // Only the migration acts as the owner of the tables.
  const env = { ...all, MIGRATION_DATABASE_URL: undefined };
  upper.push(keepRunning(program('API', join(built, 'api.js'), env)));
  for (let number = 1; number <= settings.workers; number++) {
    upper.push(keepRunning(program(`Worker ${number}`, join(built, 'worker.js'), env)));
  }
  if (settings.env.SOCKS_PORT) {
    upper.push(keepRunning(program('SOCKS5 door', join(built, 'socks.js'), env)));
  }
  // Beside the others, because each of them spends its first second loading modules.
  const seeded = runToEnd('The demo catalogue', join(built, 'seed.js'), env);
  await Promise.all([seeded, ...upper.map(({ ready }) => ready)]);
  await answers(`${settings.url}/readyz`);
  welcome(settings);
  if (settings.demoProxies) await offerDemoProxies(settings, all.OPERATOR_TOKEN);
}

/** Their list was read before there was an API to check them with. */
async function offerDemoProxies({ url }: LaunchSettings, token: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const asked = fetch(`${url}/api/v1/admin/proxy/refresh`, { method: 'POST', headers });
  await asked.catch(() => undefined); // In half an hour they are read again.
  console.log(
    'Demo: three SOCKS5 proxies on this machine are on sale. PROXY_SOURCES lists others.',
  );
}

// The application stops first, so that it can still write down what it has in hand.
const upper: Keeper[] = [];
const lower: Keeper[] = [];
const atEnd: (() => void)[] = [];
let stopping = false;
const STOP_MS = 9_800;

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Whatever hangs, the guards end the servers and the closed channels end the application.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await Promise.all(upper.map((keeper) => keeper.stop()));
  await Promise.all(lower.map((keeper) => keeper.stop()));
  for (const act of atEnd.toReversed()) act();
  process.exit(code);
}

async function answers(url: string): Promise<void> {
  const told = setInterval(() => console.log(`Waiting for ${url} to answer 200 …`), 5_000);
  let status: number | undefined;
  while (status !== 200) {
    status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== 200) await sleep(50);
  }
  clearInterval(told);
}

function welcome({ url }: LaunchSettings): void {
  if (stopping) return;
  console.log(`ready ${url}`);
  console.log(
    `Next: curl -s ${url}/api/v1/agent/register -H 'Content-Type: application/json' ` +
      `-d '{"username":"ada","email":"ada@example.com","password":"correct-horse-battery"}'`,
  );
}

onRequestToEnd(
  () => void stop(0),
  () => process.exit(1),
);
try {
  await start();
} catch (error) {
  if (!stopping) {
    console.error(
      error instanceof BadSettings ? error.message : `Not started: ${(error as Error).message}`,
    );
    await stop(1);
  }
}
