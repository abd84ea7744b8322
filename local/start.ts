import { setTimeout as sleep } from 'node:timers/promises';

import { BadSettings } from '../shared/config.ts';
import { lock } from './lock.ts';
import { program, runToEnd } from './program.ts';
import { noteServers, startServers } from './servers.ts';
import { assertPortIsFree, prepareSettings, type Settings } from './settings.ts';
import { keepRunning, type Keeper } from './supervisor.ts';

/** `npm start`: everything the marketplace needs, on one machine, until it is told to stop. */
async function start(): Promise<void> {
  const settings = await prepareSettings();
  atEnd.push(await lock(settings.dataDir));
  await assertPortIsFree(settings);

  const servers = await startServers(settings);
  lower.push(...servers.started.map((server) => keepRunning(server, { isStarted: true })));
  atEnd.push(noteServers(settings, servers.env));

  const env = { ...settings.env, ...servers.env };
  await runToEnd('The migration', 'migrations/run.ts', env);
  await runToEnd('The demo catalogue', 'local/seed.ts', env);
  if (stopping) return;

  upper.push(keepRunning(program('API', 'api/main.ts', env)));
  for (let number = 1; number <= settings.workers; number++) {
    upper.push(keepRunning(program(`Worker ${number}`, 'workers/main.ts', env)));
  }
  await Promise.all(upper.map(({ ready }) => ready));
  await answers(`${settings.url}/readyz`);
  welcome(settings);
}

// The application stops first, so that it can still write down what it has in hand.
const upper: Keeper[] = [];
const lower: Keeper[] = [];
const atEnd: (() => void)[] = [];
let stopping = false;
const STOP_MS = 9_800;

async function stop(code: number): Promise<never> {
  // Whoever asks twice does not want to wait: the guards and the channels see to the rest.
  if (stopping) process.exit(1);
  stopping = true;
  // Whatever hangs, the guards end the servers and the closed channels end the application.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await Promise.all(upper.map((keeper) => keeper.stop()));
  await Promise.all(lower.map((keeper) => keeper.stop()));
  for (const act of atEnd.toReversed()) act();
  process.exit(code);
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(50);
  }
}

function welcome({ url, newOperatorToken, dataDir }: Settings): void {
  if (stopping) return;
  if (newOperatorToken) {
    console.log(`operator token ${newOperatorToken} (shown once; kept in ${dataDir})`);
  }
  console.log(`ready ${url}`);
  console.log(
    `Next: curl -s ${url}/api/v1/agent/register -H 'Content-Type: application/json' ` +
      `-d '{"username":"ada","email":"ada@example.com","password":"correct-horse-battery"}'`,
  );
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0));
}
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
