import type { Context } from '../kernel/context.ts';
import { poolOf } from '../platform/connections/half_open.ts';
import { countedMetrics, openGauges, type Gauges } from '../platform/metrics.ts';
import { addMarketplaceGauges } from './marketplace_gauges.ts';

/** What a scrape of this process shows. It does not reject when a server is away. */
export type Scrape = () => Promise<string>;

/** An API process shows what it knows of itself, and what is the same for all of them. */
export function openApiMetrics(context: Context): Scrape {
  const gauges = openGauges();
  addPools(gauges, context);
  addPermits(gauges, context);
  const look = addMarketplaceGauges(gauges, context);
  return async () => {
    await look();
    return textOf(gauges);
  };
}

/** Any other process shows what it knows of itself; `addOwn` adds what only its sort has. */
export function openProcessMetrics(context: Context, addOwn?: (gauges: Gauges) => void): Scrape {
  const gauges = openGauges();
  addPools(gauges, context);
  addOwn?.(gauges);
  return () => textOf(gauges);
}

const textOf = async (gauges: Gauges): Promise<string> =>
  `${await countedMetrics()}\n${await gauges.metrics()}`;

function addPools(gauges: Gauges, { database, reserved, limiters }: Context): void {
  const pools = { work: database, reserved };
  gauges.add(
    'market_pool_connections',
    'Open connections to PostgreSQL: of the pool for calls and jobs, and of that for duties.',
    ['pool', 'state'],
    () =>
      Object.entries(pools).flatMap(([pool, source]) => {
        const { totalCount, idleCount } = poolOf(source);
        return [
          [{ pool, state: 'busy' }, totalCount - idleCount],
          [{ pool, state: 'idle' }, idleCount],
        ] as const;
      }),
  );
  gauges.add('market_pool_waiting', 'What waits for a connection to PostgreSQL.', ['pool'], () => [
    [{ pool: 'work' }, poolOf(database).waitingCount + limiters.transactions.waiting()],
    [{ pool: 'reserved' }, poolOf(reserved).waitingCount],
  ]);
}

function addPermits(gauges: Gauges, { config, limiters: { calls, jobs } }: Context): void {
  gauges.add(
    'market_permits_in_use',
    'Permits of this process for calls, and for jobs, that are in use.',
    ['limiter'],
    () => [
      [{ limiter: 'calls' }, calls.inUse()],
      [{ limiter: 'jobs' }, jobs.inUse()],
    ],
  );
  gauges.add('market_permits_max', 'Permits that each limiter has.', [], () => [
    [{}, config.api.callsMax],
  ]);
}
