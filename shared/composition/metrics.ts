import type { Context } from './context.ts';
import { poolOf } from '../platform/connections/half_open.ts';
import { countedMetrics, openGauges, type Gauges } from '../platform/metrics.ts';
import { addMarketplaceGauges } from './marketplace_gauges.ts';

/** The metrics of this process as text. It does not reject when a server is unreachable. */
export type Scrape = () => Promise<string>;

/** Metrics of an API process: its own, and those of the whole marketplace. */
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

/** Metrics of any other process; `addOwn` adds those that only its type has. */
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
    'Open connections to PostgreSQL of the pool for calls and jobs and the pool for duties.',
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
  gauges.add(
    'market_pool_waiting',
    'Requests that wait for a connection to PostgreSQL.',
    ['pool'],
    () => [
      [{ pool: 'work' }, poolOf(database).waitingCount + limiters.transactions.waiting()],
      [{ pool: 'reserved' }, poolOf(reserved).waitingCount],
    ],
  );
}

function addPermits(gauges: Gauges, { config, limiters: { calls, jobs } }: Context): void {
  gauges.add(
    'market_permits_in_use',
    'Permits in use in this process, for calls and for jobs.',
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
