import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { buildCached } from '../local/build.mjs';
import { cacheFolder } from '../local/paths.ts';
import type { Child } from './setup/child_processes.ts';
import { median, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { grow } from './setup/past_orders.ts';
import { populate, type People } from './setup/populate.ts';
import { judgePlans, writePlans } from './setup/query_plans.ts';
import { measured, purchaseBy, readBy } from './measure/slices.ts';
import { inYard, type Market, type Yard } from './setup/deployments.ts';

/** Of each product: more than a run sells. */
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
 * `npm run bench:growth`: what a purchase costs in a large platform and in a small one, measured in
 * turn on the same servers; and that no statement of the large one reads a whole table.
 */
await inYard(async (yard) => {
  const built = await buildCached(join(cacheFolder, 'build'));
  const small = await openHouse(yard, built, 'small', SMALL);
  const large = await openHouse(yard, built, 'large', Number(options.orders));
  const houses = [small, large];
  const ms = Number(options.ms);

  for (const platform of houses) await buy(yard, platform, ms);
  const bought = new Map<TestPlatform, Slice[]>(houses.map((platform) => [platform, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const platform of houses) bought.get(platform)!.push(await buy(yard, platform, ms));
  }
  const cpu = houses.map((platform) => bought.get(platform)!.map(totalCpu)) as [number[], number[]];
  const reads = [];
  for (const [name, path] of Object.entries(READS)) {
    const taken = [];
    for (const { port, people } of houses) {
      const next = readBy(people, path);
      taken.push((await measured({ port, pids: {}, callers: 1, ms: 1_000, next })).p50.toFixed(2));
    }
    reads.push([`${name}, p50 ms`, ...taken]);
  }
  const wrong = await plansOf(yard, large, built);

  const sizes = [SMALL, Number(options.orders)].map((size) => `${size} orders`);
  console.log(table([['', ...sizes], ['CPU µs a purchase', ...cpu.map(shown)], ...reads]));
  const ratio = median(cpu[1].map((after, round) => after / cpu[0][round]!));
  const standing = ratio <= GOAL ? 'goal' : ratio <= FLOOR ? 'floor' : 'missed';
  console.log(
    `\n7  CPU a purchase, large / small  ${ratio.toFixed(2)}  ${FLOOR} ${GOAL} ${standing}`,
  );
  console.log(JSON.stringify({ ratios: { 7: Number(ratio.toPrecision(3)) } }));
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
});

function shown(values: readonly number[]): string {
  return spread(values, 0);
}

interface TestPlatform {
  readonly market: Market;
  readonly people: People;
  readonly port: number;
  readonly children: readonly Child[];
}

async function openHouse(
  yard: Yard,
  built: string,
  name: string,
  orders: number,
): Promise<TestPlatform> {
  const market = await yard.open(name);
  const owner = await yard.admin(name);
  const people = await populate(market, owner, UNITS);
  const from = performance.now();
  await grow(owner, people, orders);
  console.log(`${orders} orders in ${Math.round((performance.now() - from) / 1_000)} s`);
  await owner.end();
  return { market, people, ...(await startPrograms(yard, market, built)) };
}

async function startPrograms(yard: Yard, market: Market, built: string) {
  const [api, worker] = await Promise.all([
    yard.start(join(built, 'api.js'), market),
    yard.start(join(built, 'worker.js'), market),
  ]);
  return { port: api.said.port, children: [api, worker] };
}

function buy(yard: Yard, { port, people, children }: TestPlatform, ms: number): Promise<Slice> {
  const [api, worker] = children.map(({ pid }) => pid) as [number, number];
  const next = purchaseBy(people, people.products);
  return measured({ port, pids: { api, worker, ...yard.pids }, callers: 256, ms, next });
}

/** Runs everything once more while PostgreSQL writes down how it went about it. */
async function plansOf(yard: Yard, platform: TestPlatform, built: string): Promise<string[]> {
  await Promise.all(platform.children.map((child) => child.stop()));
  const admin = await yard.admin(platform.market.name);
  await writePlans(admin);
  await admin.end();
  const again = { ...platform, ...(await startPrograms(yard, platform.market, built)) };
  await buy(yard, again, 1_000);
  for (const path of Object.values(READS)) {
    const next = readBy(platform.people, path);
    await measured({ port: again.port, pids: {}, callers: 1, ms: 200, next });
  }
  await sleep(2_000); // the dispatcher and the timers do theirs
  await Promise.all(again.children.map((child) => child.stop()));
  const { read, wrong } = judgePlans(yard.postgresLog);
  console.log(`${read} plans were read, ${wrong.length} of them are wrong`);
  return read > 0 ? wrong : ['no plan was written'];
}
