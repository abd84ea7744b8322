import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { table } from '../measure/statistics.ts';
import { addListings } from '../search/listings.ts';
import { withDeployments } from '../setup/deployments.ts';
import { builtFolder } from '../setup/platform.ts';
import { populate } from '../setup/populate.ts';
import type { AttackName, Order } from './attacker.ts';
import { honestClients, measure, type HonestName, type Measurement } from './honest_clients.ts';
import { openHttpClient } from './http_client.ts';

/** Units of each product: more than a run sells. */
const UNITS = 200;
const HONEST_AGENTS = 20;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** Length of each attack. */
    seconds: { type: 'string', default: '60' },
    /** Only attacks whose names contain this. */
    only: { type: 'string', default: '' },
    /** Additional products on sale, which the honest callers do not buy. */
    listings: { type: 'string', default: '0' },
  },
});

/**
 * `npm run bench:attacks`: waiting times of honest callers while one agent, or somebody without a
 * key, attacks with full force. The attacker runs on the same machine and takes its share of CPU.
 */
await withDeployments(async (deployments) => {
  const seconds = Number(options.seconds);
  const deployment = await deployments.open('attacks');
  const owner = await deployment.admin();
  const population = await populate(deployment, owner, UNITS);
  if (options.listings !== '0') {
    await addListings(owner, population.buyers.at(-1)!.id, Number(options.listings));
  }
  await owner.destroy();
  const built = await builtFolder();
  const names = await deployment.start('bench/email/name_server.ts');
  const env = {
    DNS_SERVERS: `127.0.0.1:${names.ready.port}`,
    TRUSTED_HOPS: '1',
    REGISTRATIONS_PER_ADDRESS: '60',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PRO: '12000',
  };
  const [api, attacker] = await Promise.all([
    deployment.start(join(built, 'api.js'), { env }),
    deployment.start('bench/attacks/attacker.ts'),
    deployment.start(join(built, 'worker.js'), { env }),
  ]);
  const { port } = api.ready;
  const call = openHttpClient(port);
  const [bad, ...rest] = population.buyers;
  const keys = rest.slice(0, HONEST_AGENTS).map(({ key }) => key);
  const clients = honestClients(keys, population.products);
  const attackNames = (attacker.ready as unknown as { names: AttackName[] }).names;

  await measure(call, clients, 5);
  const rows: string[][] = [];
  const show = (name: string, measured: Record<HonestName, Measurement>, note: string) => {
    const cells = Object.values(measured).map(cellOf);
    rows.push([name, ...cells, note]);
    console.log([name, ...cells, note].join(' | '));
  };
  show('nobody attacks', await measure(call, clients, seconds), '');
  for (const attack of attackNames.filter((name) => name.includes(options.only))) {
    const order: Order = {
      attack,
      port,
      seconds: seconds + 1,
      key: bad!.key,
      products: population.productsOfOne,
    };
    const answered = attacker.ask<Record<number, number>>(order);
    await sleep(1_000);
    show(attack, await measure(call, clients, seconds), `answers: ${inWords(await answered)}`);
    await sleep(1_000);
    show('  5 s after it', await measure(call, clients, 5), `ready: ${await readiness()}`);
  }
  const head = ['p50 / p99 ms', ...Object.keys(clients), ''];
  console.log(`\n${table([head, ...rows])}`);

  async function readiness(): Promise<number> {
    return (await call({ path: '/readyz' })).status;
  }
});

function cellOf({ p50, p99, calls, refused, pending }: Measurement): string {
  const bad = refused || pending ? ` (of ${calls}: ${refused} refused, ${pending} pending)` : '';
  return `${p50.toFixed(0)} / ${p99.toFixed(0)}${bad}`;
}

function inWords(statuses: Record<number, number>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'none' : status}`)
    .join(', ');
}
