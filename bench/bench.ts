import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildCached } from '../local/build.mjs';
import { cacheFolder } from '../local/paths.ts';
import { median, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { grow } from './setup/past_orders.ts';
import { populate } from './setup/populate.ts';
import { openPool, startProxyChecks } from './proxies/proxy_pools.ts';
import {
  lineOf,
  NAMES,
  RATIOS,
  childJobCounts,
  valuesOf,
  type Found,
  type Name,
} from './ratios.ts';
import { openRawSql, type RawSql } from './baselines/raw_sql.ts';
import { measured, meter, purchaseBy, readBy, toolBy, WARM_MS } from './measure/slices.ts';
import { inYard, type Market, type Yard } from './setup/deployments.ts';

/** Of each product: more than a run sells. */
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
 * `npm run bench`: what a purchase costs here, as ratios to what it cannot be cheaper than. Both
 * sides of each ratio are measured in turn in one run, because rates mean nothing on a machine that
 * others use too.
 */
await inYard(async (yard) => {
  const measures = await prepare(yard, Number(options.ms));
  const names = Object.keys(NAMES) as Name[];
  const chosen = names.filter((name) => !options.only || options.only.split(',').includes(name));
  const found = new Map<Name, Slice[]>(chosen.map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // From another place each time: no slice always follows the same one.
    for (const [n] of chosen.entries()) {
      const name = chosen[(n + round * 3) % chosen.length]!;
      found.get(name)!.push(await measures[name]());
    }
  }
  print(found);
});

type Measures = Readonly<Record<Name, () => Promise<Slice>>>;

async function prepare(yard: Yard, ms: number): Promise<Measures> {
  const market = await yard.open('bench');
  const owner = await yard.admin(market.name);
  const people = await populate(market, owner, UNITS);
  // Sessions keep the plans they begin with, and those for an empty table read all of it.
  await grow(owner, people, 10_000);
  await owner.end();
  const built = await buildCached(join(cacheFolder, 'build'));
  const flags = (name: string) =>
    options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}/${name}`] : [];
  const [api, worker, direct, bareHttp, producer, , raw] = await Promise.all([
    yard.start(join(built, 'api.js'), market, flags('api')),
    yard.start(join(built, 'worker.js'), market, flags('worker')),
    yard.start('bench/baselines/direct_api.ts', market),
    yard.start('bench/baselines/bare_http.ts', market),
    yard.start('bench/baselines/bare_producer.ts', market),
    yard.start('bench/baselines/bare_worker.ts', market),
    openRawSql(market.config.databaseUrl, people),
  ]);

  const checks = await startMailChecks(yard, market);
  const lists = {
    few: await openPool(yard, built, 10_000),
    lots: await openPool(yard, built, 540_315),
  };
  const proxyChecks = await startProxyChecks(yard);
  const { postgres } = yard.pids;
  const purchase = purchaseBy(people, people.products);
  // One caller is one agent: the API knows its key by its second call.
  const one = { ...people, buyers: people.buyers.slice(0, 1) };
  const purchaseOfOne = purchaseBy(one, people.products);
  const pids = { api: api.pid, worker: worker.pid, ...yard.pids };
  const platform = { port: api.said.port, pids, ms };
  const bare = (callers: number) => async () => ({
    ...(await producer.ask<Omit<Slice, 'cpu'>>({ callers, warmMs: WARM_MS, ms })),
    cpu: {},
  });

  await measured({ ...platform, callers: 256, ms: 3_000, next: purchase });
  const clients = await fastest(raw);
  return {
    raw: async () => {
      const { mark, sliceOf } = meter({ postgres });
      return sliceOf(await raw.run(clients, ms, mark));
    },
    many: () => measured({ ...platform, callers: 256, next: purchase }),
    bull: bare(256),
    direct: () => {
      const ofDirect = { port: direct.said.port, pids: { api: direct.pid, postgres }, ms };
      return measured({ ...ofDirect, callers: 256, next: purchase });
    },
    oneSeller: () =>
      measured({ ...platform, callers: 256, next: purchaseBy(people, people.productsOfOne) }),
    some: () => measured({ ...platform, callers: 64, next: purchase }),
    idle: () => measured({ ...platform, callers: 1, next: purchaseOfOne }),
    idleBull: bare(1),
    rest: () => measured({ ...platform, callers: 64, next: readBy(people, '/api/v1/wallet') }),
    mcp: () => measured({ ...platform, callers: 64, next: toolBy(people, 'get_wallet') }),
    bareHttp: () => {
      const ofBare = { port: bareHttp.said.port, pids: { api: bareHttp.pid }, ms };
      return measured({ ...ofBare, callers: 256, next: () => BARE_REQUEST });
    },
    mx: checks('bare'),
    mail: checks('uncached'),
    mailKnown: checks('cached'),
    few: lists.few,
    lots: lists.lots,
    bareCheck: proxyChecks('bare'),
    check: proxyChecks('ours'),
  };
}

/** Look-ups on loopback: shorter slices say as much. */
async function startMailChecks(yard: Yard, market: Market) {
  const names = await yard.start('bench/email/name_server.ts', market);
  const env = { ...market.env, DNS_SERVERS: `127.0.0.1:${names.said.port}` };
  const checks = await yard.start('bench/email/mail_checks.ts', { ...market, env });
  return (what: string) => async () => ({
    ...(await checks.ask<Omit<Slice, 'cpu'>>({ what, warmMs: WARM_MS / 2, ms: 1_000 })),
    cpu: {},
  });
}

/** How many connections suit this machine best. */
async function fastest(raw: RawSql): Promise<number> {
  const tried: [count: number, perSecond: number][] = [];
  for (const count of [2, 3, 4]) {
    tried.push([count, (await raw.run(count, 1_000)).perSecond]);
  }
  return tried.toSorted(([, a], [, b]) => b - a)[0]![0];
}

function print(found: Found): void {
  const rows = [...found].map(([name, slices]) => {
    const by = (value: (slice: Slice) => number, digits: number) =>
      spread(slices.map(value), digits);
    const parts = Object.keys(slices[0]!.cpu).map(
      (part) => `${part} ${median(slices.map(({ cpu }) => cpu[part]!)).toFixed(0)}`,
    );
    return [
      NAMES[name],
      by(({ perSecond }) => perSecond, 0),
      by(({ p50 }) => p50, 2),
      by(({ p99 }) => p99, 2),
      parts.length > 0 ? `${by(totalCpu, 0)} = ${parts.join(' + ')}` : '',
    ];
  });
  console.log(
    table([['medians (quartiles)', 'per s', 'p50 ms', 'p99 ms', 'CPU µs a call'], ...rows]),
  );
  if (found.size < Object.keys(NAMES).length) return;

  const standings = RATIOS.map((ratio) => {
    const values = valuesOf(ratio, found);
    const { number, says, floor, goal } = ratio;
    const marks = [floor, goal].map(String);
    return [String(number), says, spread(values, 2), ...marks, childJobCounts(ratio, values)];
  });
  console.log();
  console.log(table([['#', 'ratio', 'median (quartiles)', 'floor', 'goal', ''], ...standings]));
  console.log(lineOf(found));
}
