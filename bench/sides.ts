import { join } from 'node:path';

import { openRawSql, openYardstick } from './baselines/raw_sql.ts';
import { validations } from './email/validations.ts';
import { buying, callingTool, confirming, reading, trading, browsing } from './measure/callers.ts';
import { measureHttp, type Caller } from './measure/http_callers.ts';
import type { Slice } from './measure/statistics.ts';
import { openPool, openProxyChecks } from './proxies/proxy_pools.ts';
import type { Name } from './names.ts';
import { openSearches } from './search/searches.ts';
import type { Deployment, Deployments } from './setup/deployments.ts';
import { makeOpenOrders } from './setup/open_orders.ts';
import { builtFolder, openPlatform, type Platform } from './setup/platform.ts';
import type { Population } from './setup/populate.ts';

/** Opens the needs of a side, and resolves with a function that measures it once. */
type Side = () => Promise<() => Promise<Slice>>;

/** Numbers of connections to try for a baseline, which is then measured with the fastest. */
const CONNECTIONS = [2, 3, 4, 8, 16, 32];
/** Units of each product: more than a run sells. */
const UNITS = 1_000;
const OPEN_ORDERS = 40_000;
/** Orders to confirm: more than a run does on two cores. */
const CONFIRMATIONS = 150_000;
const DOMAINS_KNOWN = 100;
/** Time in which a process of the API looks up the keys of nearly all buyers. */
const KEYS_MS = 10_000;

const BARE_REQUEST = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

interface SideOptions {
  /** Servers for sides that need no database of a marketplace. */
  readonly baselines: Deployment;
  /** Length of a slice. */
  readonly ms: number;
  /** Folder for CPU profiles of the platform's processes. */
  readonly profile: string | undefined;
}

/** All measured sides. Resources shared by several sides are opened by the first of them. */
export function sidesOf(
  deployments: Deployments,
  { baselines, ms, profile }: SideOptions,
): Readonly<Record<Name, Side>> {
  const nameServer = once(async () => {
    const server = await baselines.start('bench/email/name_server.ts');
    const env = { DNS_SERVERS: `127.0.0.1:${server.ready.port}` };
    const lookups = await baselines.start('bench/email/mx_lookups.ts', { env });
    return { env, lookups };
  });
  const platform = once(async () =>
    openPlatform(deployments, {
      name: 'market',
      units: UNITS,
      pastOrders: 10_000,
      openOrders: OPEN_ORDERS,
      env: (await nameServer()).env,
      profile,
    }),
  );
  // Apart from the others: receipts of what a slice has settled are issued for long after it.
  const settling = once(() =>
    openPlatform(deployments, { name: 'settling', units: UNITS, pastOrders: 10_000, profile }),
  );
  const bareHttp = once(() => baselines.start('bench/baselines/bare_http.ts'));
  const bullOf = (...args: string[]) =>
    once(async () => {
      const [producer, worker] = await Promise.all([
        baselines.start('bench/baselines/bare_producer.ts', { args }),
        baselines.start('bench/baselines/bare_worker.ts', { args }),
      ]);
      return { producer, pids: { worker: worker.pid, redis: baselines.pids.redis } };
    });
  const bull = bullOf();
  const durableBull = bullOf('durable');
  const checks = once(() => openProxyChecks(deployments));

  const calls =
    (callers: number, newCaller: (platform: Platform) => () => Caller, open = platform): Side =>
    async () => {
      const opened = await open();
      const { port, pids } = opened;
      const caller = newCaller(opened);
      return () => measureHttp({ port, pids, callers, ms, newCaller: caller });
    };
  const roundTrips =
    (bare: ReturnType<typeof bullOf>, loops: number): Side =>
    async () => {
      const { producer, pids } = await bare();
      return () => producer.ask<Slice>({ loops, ms, pids });
    };
  const confirmations =
    (productsOf: (population: Population) => readonly number[]): Side =>
    async () => {
      const { deployment, population, port, pids } = await settling();
      const { buyers } = population;
      const sold = { buyers, products: productsOf(population) };
      const newCaller = confirming(await makeOpenOrders(deployment, sold, CONFIRMATIONS));
      return () => measureHttp({ port, pids, callers: 256, ms, newCaller });
    };
  const emails =
    (nextAddress: () => string): Side =>
    async () =>
      validations(await platform(), { ms, nextAddress });

  let domains = 0;
  return {
    many: calls(256, ({ population }) => buying(population, population.products)),
    async uncounted() {
      const { deployment, population, pids } = await platform();
      const env = Object.fromEntries(
        ['FREE', 'BASIC', 'PRO', 'PUBLIC'].map((tier) => [`RATE_LIMIT_${tier}`, 'off']),
      );
      const api = await deployment.start(join(await builtFolder(), 'api.js'), { env });
      const measure = (forMs: number) =>
        measureHttp({
          port: api.ready.port,
          pids: { ...pids, api: api.pid },
          callers: 256,
          ms: forMs,
          newCaller: buying(population, population.products),
        });
      // The process of the other sides has looked up most keys when this one is measured.
      await measure(KEYS_MS);
      return () => measure(ms);
    },
    async byFour() {
      const opened = await openPlatform(deployments, {
        name: 'byFour',
        units: UNITS,
        pastOrders: 10_000,
      });
      const { population, pids } = opened;
      const port = [opened.port, ...(await opened.startMore(3))];
      const newCaller = buying(population, population.products);
      const { postgres } = pids;
      return () => measureHttp({ port, pids: { postgres }, callers: 256, ms, newCaller });
    },
    some: calls(64, ({ population }) => buying(population, population.products)),
    // One caller is one agent: the API has its key in memory by the second call.
    idle: calls(1, ({ population: { buyers, products } }) =>
      buying({ buyers: buyers.slice(0, 1) }, products),
    ),
    spread: calls(256, ({ population }) => trading(population, population.products), settling),
    oneSeller: calls(
      256,
      ({ population }) => trading(population, population.productsOfOne),
      settling,
    ),
    confirms: confirmations(({ products }) => products),
    confirmsOfOne: confirmations(({ productsOfOne }) => productsOfOne),
    rest: calls(64, ({ population }) => reading(population, '/api/v1/wallet')),
    mcp: calls(64, ({ population }) => callingTool(population, 'get_wallet')),
    marketPage: calls(16, () => browsing('/market')),
    products: calls(16, (opened) => reading(opened.population, '/api/v1/products?limit=24')),
    wallet: calls(16, ({ buyerOfNone }) => reading({ buyers: [buyerOfNone] }, '/api/v1/wallet')),
    walletOfMany: calls(16, ({ buyerOfMany }) =>
      reading({ buyers: [buyerOfMany] }, '/api/v1/wallet'),
    ),

    async raw() {
      const deployment = await deployments.open('yardstick');
      await openYardstick(deployment, UNITS);
      const { postgres } = deployment.pids;
      const raw = openRawSql(deployment.config.databaseUrl, { postgres });
      const connections = await fastest(CONNECTIONS, (count) => raw(count, ms / 2));
      return () => raw(connections, ms);
    },
    async direct() {
      const { deployment, population } = await platform();
      const api = await deployment.start('bench/baselines/direct_api.ts');
      const pids = { api: api.pid, postgres: deployment.pids.postgres };
      const newCaller = buying(population, population.products);
      const measure = (forMs: number) =>
        measureHttp({ port: api.ready.port, pids, callers: 256, ms: forMs, newCaller });
      const connections = await fastest(CONNECTIONS, async (count) => {
        await api.ask({ connections: count });
        return measure(ms / 2);
      });
      await api.ask({ connections });
      return () => measure(ms);
    },
    bull: roundTrips(bull, 256),
    idleBull: roundTrips(bull, 1),
    idleDurable: roundTrips(durableBull, 1),
    async bareHttp() {
      const http = await bareHttp();
      const pids = { api: http.pid };
      const newCaller = () => () => BARE_REQUEST;
      return () => measureHttp({ port: http.ready.port, pids, callers: 256, ms, newCaller });
    },

    async mx() {
      const { lookups } = await nameServer();
      return () => lookups.ask<Slice>({ loops: 100, ms, pids: {} });
    },
    mail: emails(() => `ada@n${(domains += 1)}.example`),
    mailKnown: emails(() => `ada${(domains += 1)}@known${domains % DOMAINS_KNOWN}.example`),

    few: () => openPool(deployments, 10_000),
    lots: () => openPool(deployments, 540_315),
    bareCheck: async () => (await checks()).bare,
    check: async () => (await checks()).ours,
    searchFew: () => openSearches(deployments, 10_000),
    searchLots: () => openSearches(deployments, 1_000_000),
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}

/** The number of connections with the most work done in a second. */
async function fastest(
  counts: readonly number[],
  measure: (count: number) => Promise<Slice>,
): Promise<number> {
  const rates: [count: number, perSecond: number][] = [];
  for (const count of counts) rates.push([count, (await measure(count)).perSecond]);
  return rates.toSorted(([, a], [, b]) => b - a)[0]![0];
}
