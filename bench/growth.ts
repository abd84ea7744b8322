import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { measureAudit } from './growth/audits.ts';
import { addLabor, measureClaims, type Labor } from './growth/claims.ts';
import { DELETIONS, measureDeletion } from './growth/deletions.ts';
import { measureLooks } from './growth/looks.ts';
import { buying, reading } from './measure/callers.ts';
import { measureHttp } from './measure/http_callers.ts';
import { quantile, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { printRatios } from './report.ts';
import { bringBooksUpToDate } from './setup/books.ts';
import { withDeployments } from './setup/deployments.ts';
import { machineOf } from './setup/machine.ts';
import { openPlatform, startPrograms, type Platform } from './setup/platform.ts';
import { judgePlans, logPlans } from './setup/query_plans.ts';

/** Units of each product: more than a run sells. */
const UNITS = 100;
const SMALL = 10_000;
/** Units of labor that a round takes and delivers. */
const CLAIMS = 500;
/** Time of past orders, which are two days old then. */
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();
const READS = {
  get_orders: '/api/v1/orders',
  'get_orders, refunded': '/api/v1/orders?status=refunded',
  get_wallet: '/api/v1/wallet',
  wallet_statement: '/api/v1/wallet/statement',
  'wallet_statement, to yesterday': `/api/v1/wallet/statement?to=${YESTERDAY}`,
  'wallet_statement, of a kind': '/api/v1/wallet/statement?kind=order.hold',
  'spend_report, 90 days': '/api/v1/wallet/spend?days=90',
  list_deposits: '/api/v1/wallet/deposits?status=rejected',
  list_products: '/api/v1/products',
  search_assets: '/api/v1/products/search?query=platform',
} as const;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '2000' },
    units: { type: 'string', default: '1000000' },
  },
});

/**
 * `npm run bench:growth`: the cost of a purchase, a unit of labor and a deleted row on a large
 * platform and on a small one, measured in turn, each on servers of its own; and a check that no
 * statement of the large one reads a whole table.
 */
await withDeployments(async (deployments) => {
  const large = Number(options.orders);
  const platforms: Platform[] = [];
  for (const [name, pastOrders] of [
    ['small', SMALL],
    ['large', large],
  ] as const) {
    const from = performance.now();
    platforms.push(await openPlatform(deployments, { name, units: UNITS, pastOrders }));
    console.log(`${pastOrders} orders in ${Math.round((performance.now() - from) / 1_000)} s`);
  }
  const machine = await machineOf(platforms[0]!.deployment);

  const bought = await inTurn(platforms, (platform) => buy(platform, Number(options.ms)));
  const cpu = bought.map((slices) => slices.map(totalCpu)) as [number[], number[]];
  const rows = [['CPU µs a purchase', ...cpu.map((values) => spread(values, 0))]];
  for (const [name, path] of Object.entries(READS)) {
    const times = [];
    for (const { port, population } of platforms) {
      const newCaller = reading(population, path);
      const { p50 } = await measureHttp({ port, pids: {}, callers: 1, ms: 1_000, newCaller });
      times.push(p50.toFixed(2));
    }
    rows.push([`${name}, p50 ms`, ...times]);
  }
  await Promise.all(platforms.map((platform) => platform.stop()));
  const looks = await inTurn(platforms, ({ deployment }) => measureLooks(deployment));
  rows.push(['CPU µs of PostgreSQL a look', ...looks.map((values) => spread(values, 0))]);
  const audits: string[] = [];
  for (const { deployment } of platforms) {
    await bringBooksUpToDate(deployment);
    audits.push((await measureAudit(deployment.env.DATABASE_URL!)).toFixed(1));
  }
  rows.push(['audit, s', ...audits]);
  const units = [SMALL, Number(options.units)];
  const labor: Labor[] = [];
  for (const [n, { deployment }] of platforms.entries()) {
    labor.push(await addLabor(deployment, { units: units[n]!, isGold: true }));
  }
  const claims = await inTurn([...platforms.entries()], ([n, { deployment }]) =>
    measureClaims(deployment, labor[n]!, CLAIMS),
  );
  const perClaim = claims.map((rounds) => rounds.map(({ cpu }) => cpu)) as [number[], number[]];
  rows.push(['CPU µs of PostgreSQL a claim', ...perClaim.map((values) => spread(values, 0))]);
  const p99 = claims.map((rounds) => rounds.map(({ takesMs }) => quantile(takesMs, 0.99)));
  rows.push(['take_labor_task, p99 ms', ...p99.map((values) => spread(values, 1))]);
  const over = claims.flat().filter((round) => round.over > 0);
  if (over.length > 0) throw new Error('a unit was given to more workers than its task says');
  const wrong = await plansOf(platforms[1]!, labor[1]!);

  for (const deletion of DELETIONS) {
    const micros = [];
    for (const [n, { deployment }] of platforms.entries()) {
      micros.push(await measureDeletion(deployment, deletion, [SMALL, large][n]!));
    }
    rows.push([
      `CPU µs a deleted row of ${deletion.table}`,
      ...micros.map((cost) => cost.toFixed(1)),
    ]);
  }

  const sizes = [SMALL, large].map((size) => `${size} orders, or rows`);
  console.log(table([['', ...sizes], ...rows]));
  const values = cpu[1].map((after, round) => after / cpu[0][round]!);
  const says = `CPU a purchase at ${large} orders (defined at 5 000 000) / at ${SMALL}`;
  const ofLabor = perClaim[1].map((after, round) => after / perClaim[0][round]!);
  const ratios = [
    { number: 7, says, values, floor: 1.2, goal: 1.1 },
    {
      number: 19,
      says: `CPU a look of the dispatcher, beside ${large} jobs / beside ${SMALL}`,
      values: looks[1]!.map((after, round) => after / looks[0]![round]!),
      floor: 1.5,
      goal: 1.1,
    },
    {
      number: 21,
      says: `CPU a claim of labor, of ${options.units} units / of ${SMALL}`,
      values: ofLabor,
      floor: 1.25,
      goal: 1.2,
    },
  ];
  printRatios(ratios, machine);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
});

/** Measures the sides in rounds of alternating order, after a first round that is dropped. */
async function inTurn<S, R>(sides: readonly S[], measure: (side: S) => Promise<R>): Promise<R[][]> {
  const results: R[][] = sides.map(() => []);
  for (const side of sides) await measure(side);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const turns = [...sides.entries()];
    for (const [n, side] of round % 2 === 0 ? turns : turns.toReversed()) {
      results[n]!.push(await measure(side));
    }
  }
  return results;
}

function buy({ port, pids, population }: Platform, ms: number): Promise<Slice> {
  const newCaller = buying(population, population.products);
  return measureHttp({ port, pids, callers: 256, ms, newCaller });
}

/** Runs everything once more while PostgreSQL logs its plans. Then no program is running. */
async function plansOf(platform: Platform, labor: Labor): Promise<string[]> {
  const { deployment, population } = platform;
  const admin = await deployment.admin();
  await logPlans(admin);
  await admin.destroy();
  const programs = await startPrograms(deployment);
  await buy({ ...platform, ...programs }, 1_000);
  for (const path of Object.values(READS)) {
    const newCaller = reading(population, path);
    await measureHttp({ port: programs.port, pids: {}, callers: 1, ms: 200, newCaller });
  }
  await sleep(2_000); // time for the dispatcher and the timers
  await programs.stop();
  await measureClaims(deployment, labor, CLAIMS);
  const { read, wrong } = judgePlans(deployment.postgresLog);
  console.log(`${read} plans were read, ${wrong.length} of them are wrong`);
  return read > 0 ? wrong : ['no plan was logged'];
}
