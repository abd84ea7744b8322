import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildCached } from '../local/build.mjs';
import { cacheFolder } from '../local/paths.ts';
import { median, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { addPastOrders } from './setup/past_orders.ts';
import { populate } from './setup/populate.ts';
import { openPool, startProxyChecks } from './proxies/proxy_pools.ts';
import { lineOf, NAMES, RATIOS, verdictOf, valuesOf, type Results, type Name } from './ratios.ts';
import { openRawSql, type RawSql } from './baselines/raw_sql.ts';
import { measureHttp, cpuMeter, purchaseBy, readBy, toolBy, WARM_MS } from './measure/slices.ts';
import { withDeployments, type Deployment, type Deployments } from './setup/deployments.ts';

/** Units of each product: more than a run sells. */
const UNITS = 450;
const BARE_REQUEST = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '5' },
    /** The slices to measure, by their short names; then there are no ratios. */
    only: { type: 'string', default: '' },
    /** A folder for CPU profiles. */
    profile: { type: 'string' },
    /** How many ms a slice lasts. */
    ms: { type: 'string', default: '2000' },
  },
});

/**
 * `npm run bench`: what a purchase costs here, as ratios to what it costs at least. Both sides of
 * each ratio are measured in turn in one run, because rates mean nothing on a machine that others
 * use too.
 */
await withDeployments(async (deployments) => {
  const measures = await prepare(deployments, Number(options.ms));
  const names = Object.keys(NAMES) as Name[];
  const chosen = names.filter((name) => !options.only || options.only.split(',').includes(name));
  const results = new Map<Name, Slice[]>(chosen.map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // In a different order each time: no slice always follows the same one.
    for (const [n] of chosen.entries()) {
      const name = chosen[(n + round * 3) % chosen.length]!;
      results.get(name)!.push(await measures[name]());
    }
  }
  print(results);
});

type Measures = Readonly<Record<Name, () => Promise<Slice>>>;

async function prepare(deployments: Deployments, ms: number): Promise<Measures> {
  const deployment = await deployments.open('bench');
  const owner = await deployments.admin(deployment.name);
  const population = await populate(deployment, owner, UNITS);
  // Sessions keep their first plans, and those for an empty table read all of it.
  await addPastOrders(owner, population, 10_000);
  await owner.destroy();
  const built = await buildCached(join(cacheFolder, 'build'));
  const flags = (name: string) =>
    options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}/${name}`] : [];
  const [api, worker, direct, bareHttp, producer, , raw] = await Promise.all([
    deployments.start(join(built, 'api.js'), deployment, flags('api')),
    deployments.start(join(built, 'worker.js'), deployment, flags('worker')),
    deployments.start('bench/baselines/direct_api.ts', deployment),
    deployments.start('bench/baselines/bare_http.ts', deployment),
    deployments.start('bench/baselines/bare_producer.ts', deployment),
    deployments.start('bench/baselines/bare_worker.ts', deployment),
    openRawSql(deployment.config.databaseUrl, population),
  ]);

  const checks = await startMailChecks(deployments, deployment);
  const pools = {
    few: await openPool(deployments, built, 10_000),
    lots: await openPool(deployments, built, 540_315),
  };
  const proxyChecks = await startProxyChecks(deployments);
  const { postgres } = deployments.pids;
  const purchase = purchaseBy(population, population.products);
  // One caller is one agent: the API has its key in memory by the second call.
  const one = { ...population, buyers: population.buyers.slice(0, 1) };
  const purchaseOfOne = purchaseBy(one, population.products);
  const pids = { api: api.pid, worker: worker.pid, ...deployments.pids };
  const platform = { port: api.ready.port, pids, ms };
  const bare = (callers: number) => async () => ({
    ...(await producer.ask<Omit<Slice, 'cpu'>>({ callers, warmMs: WARM_MS, ms })),
    cpu: {},
  });

  await measureHttp({ ...platform, callers: 256, ms: 3_000, next: purchase });
  const clients = await fastestCount(raw);
  return {
    raw: async () => {
      const { snapshot, sliceOf } = cpuMeter({ postgres });
      return sliceOf(await raw.run(clients, ms, snapshot));
    },
    many: () => measureHttp({ ...platform, callers: 256, next: purchase }),
    bull: bare(256),
    direct: () => {
      const ofDirect = { port: direct.ready.port, pids: { api: direct.pid, postgres }, ms };
      return measureHttp({ ...ofDirect, callers: 256, next: purchase });
    },
    oneSeller: () =>
      measureHttp({
        ...platform,
        callers: 256,
        next: purchaseBy(population, population.productsOfOne),
      }),
    some: () => measureHttp({ ...platform, callers: 64, next: purchase }),
    idle: () => measureHttp({ ...platform, callers: 1, next: purchaseOfOne }),
    idleBull: bare(1),
    rest: () =>
      measureHttp({ ...platform, callers: 64, next: readBy(population, '/api/v1/wallet') }),
    mcp: () => measureHttp({ ...platform, callers: 64, next: toolBy(population, 'get_wallet') }),
    bareHttp: () => {
      const ofBare = { port: bareHttp.ready.port, pids: { api: bareHttp.pid }, ms };
      return measureHttp({ ...ofBare, callers: 256, next: () => BARE_REQUEST });
    },
    mx: checks('bare'),
    mail: checks('uncached'),
    mailKnown: checks('cached'),
    few: pools.few,
    lots: pools.lots,
    bareCheck: proxyChecks('bare'),
    check: proxyChecks('ours'),
  };
}

/** DNS queries on loopback: shorter slices are as exact. */
async function startMailChecks(deployments: Deployments, deployment: Deployment) {
  const names = await deployments.start('bench/email/name_server.ts', deployment);
  const env = { ...deployment.env, DNS_SERVERS: `127.0.0.1:${names.ready.port}` };
  const checks = await deployments.start('bench/email/mail_checks.ts', { ...deployment, env });
  return (what: string) => async () => ({
    ...(await checks.ask<Omit<Slice, 'cpu'>>({ what, warmMs: WARM_MS / 2, ms: 1_000 })),
    cpu: {},
  });
}

/** The number of connections that is fastest on this machine. */
async function fastestCount(raw: RawSql): Promise<number> {
  const rates: [count: number, perSecond: number][] = [];
  for (const count of [2, 3, 4]) {
    rates.push([count, (await raw.run(count, 1_000)).perSecond]);
  }
  return rates.toSorted(([, a], [, b]) => b - a)[0]![0];
}

function print(results: Results): void {
  const rows = [...results].map(([name, slices]) => {
    const by = (value: (slice: Slice) => number, digits: number) =>
      spread(slices.map(value), digits);
    const processes = Object.keys(slices[0]!.cpu).map(
      (name) => `${name} ${median(slices.map(({ cpu }) => cpu[name]!)).toFixed(0)}`,
    );
    return [
      NAMES[name],
      by(({ perSecond }) => perSecond, 0),
      by(({ p50 }) => p50, 2),
      by(({ p99 }) => p99, 2),
      processes.length > 0 ? `${by(totalCpu, 0)} = ${processes.join(' + ')}` : '',
    ];
  });
  console.log(
    table([['medians (quartiles)', 'per s', 'p50 ms', 'p99 ms', 'CPU µs a call'], ...rows]),
  );
  if (results.size < Object.keys(NAMES).length) return;

  const verdicts = RATIOS.map((ratio) => {
    const values = valuesOf(ratio, results);
    const { number, says, floor, goal } = ratio;
    const limits = [floor, goal].map(String);
    return [String(number), says, spread(values, 2), ...limits, verdictOf(ratio, values)];
  });
  console.log();
  console.log(table([['#', 'ratio', 'median (quartiles)', 'floor', 'goal', ''], ...verdicts]));
  console.log(lineOf(results));
}
