import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { buildCached } from '../local/build.mjs';
import { cacheFolder } from '../local/paths.ts';
import type { Child } from './setup/child_processes.ts';
import { median, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { addPastOrders } from './setup/past_orders.ts';
import { populate, type Population } from './setup/populate.ts';
import { judgePlans, logPlans } from './setup/query_plans.ts';
import { measureHttp, purchaseBy, readBy } from './measure/slices.ts';
import { withDeployments, type Deployment, type Deployments } from './setup/deployments.ts';

/** Units of each product: more than a run sells. */
const UNITS = 100;
const SMALL = 10_000;
const [FLOOR, GOAL] = [1.4, 1.2];
const READS = {
  get_orders: '/api/v1/orders',
  get_wallet: '/api/v1/wallet',
  wallet_statement: '/api/v1/wallet/statement',
  list_products: '/api/v1/products',
  search_assets: '/api/v1/products/search?query=platform',
} as const;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '2000' },
  },
});

/**
 * `npm run bench:growth`: what a purchase costs on a large platform and on a small one, measured in
 * turn on the same servers; and that no statement of the large one reads a whole table.
 */
await withDeployments(async (deployments) => {
  const built = await buildCached(join(cacheFolder, 'build'));
  const small = await openPlatform(deployments, built, 'small', SMALL);
  const large = await openPlatform(deployments, built, 'large', Number(options.orders));
  const platforms = [small, large];
  const ms = Number(options.ms);

  for (const platform of platforms) await buy(deployments, platform, ms);
  const bought = new Map<Platform, Slice[]>(platforms.map((platform) => [platform, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const platform of platforms)
      bought.get(platform)!.push(await buy(deployments, platform, ms));
  }
  const cpu = platforms.map((platform) => bought.get(platform)!.map(totalCpu)) as [
    number[],
    number[],
  ];
  const reads = [];
  for (const [name, path] of Object.entries(READS)) {
    const times = [];
    for (const { port, population } of platforms) {
      const next = readBy(population, path);
      times.push(
        (await measureHttp({ port, pids: {}, callers: 1, ms: 1_000, next })).p50.toFixed(2),
      );
    }
    reads.push([`${name}, p50 ms`, ...times]);
  }
  const wrong = await plansOf(deployments, large, built);

  const sizes = [SMALL, Number(options.orders)].map((size) => `${size} orders`);
  console.log(table([['', ...sizes], ['CPU µs a purchase', ...cpu.map(shown)], ...reads]));
  const ratio = median(cpu[1].map((after, round) => after / cpu[0][round]!));
  const verdict = ratio <= GOAL ? 'goal' : ratio <= FLOOR ? 'floor' : 'missed';
  console.log(
    `\n7  CPU a purchase, large / small  ${ratio.toFixed(2)}  ${FLOOR} ${GOAL} ${verdict}`,
  );
  console.log(JSON.stringify({ ratios: { 7: Number(ratio.toPrecision(3)) } }));
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
});

function shown(values: readonly number[]): string {
  return spread(values, 0);
}

interface Platform {
  readonly deployment: Deployment;
  readonly population: Population;
  readonly port: number;
  readonly children: readonly Child[];
}

async function openPlatform(
  deployments: Deployments,
  built: string,
  name: string,
  orders: number,
): Promise<Platform> {
  const deployment = await deployments.open(name);
  const owner = await deployments.admin(name);
  const population = await populate(deployment, owner, UNITS);
  const from = performance.now();
  await addPastOrders(owner, population, orders);
  console.log(`${orders} orders in ${Math.round((performance.now() - from) / 1_000)} s`);
  await owner.destroy();
  return { deployment, population, ...(await startPrograms(deployments, deployment, built)) };
}

async function startPrograms(deployments: Deployments, deployment: Deployment, built: string) {
  const [api, worker] = await Promise.all([
    deployments.start(join(built, 'api.js'), deployment),
    deployments.start(join(built, 'worker.js'), deployment),
  ]);
  return { port: api.ready.port, children: [api, worker] };
}

function buy(
  deployments: Deployments,
  { port, population, children }: Platform,
  ms: number,
): Promise<Slice> {
  const [api, worker] = children.map(({ pid }) => pid) as [number, number];
  const next = purchaseBy(population, population.products);
  return measureHttp({ port, pids: { api, worker, ...deployments.pids }, callers: 256, ms, next });
}

/** Runs everything once more while PostgreSQL logs its plans. */
async function plansOf(
  deployments: Deployments,
  platform: Platform,
  built: string,
): Promise<string[]> {
  await Promise.all(platform.children.map((child) => child.stop()));
  const admin = await deployments.admin(platform.deployment.name);
  await logPlans(admin);
  await admin.destroy();
  const restarted = {
    ...platform,
    ...(await startPrograms(deployments, platform.deployment, built)),
  };
  await buy(deployments, restarted, 1_000);
  for (const path of Object.values(READS)) {
    const next = readBy(platform.population, path);
    await measureHttp({ port: restarted.port, pids: {}, callers: 1, ms: 200, next });
  }
  await sleep(2_000); // for the dispatcher and the timers
  await Promise.all(restarted.children.map((child) => child.stop()));
  const { read, wrong } = judgePlans(deployments.postgresLog);
  console.log(`${read} plans were read, ${wrong.length} of them are wrong`);
  return read > 0 ? wrong : ['no plan was logged'];
}
