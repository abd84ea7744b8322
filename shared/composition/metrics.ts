import type { Context } from './context.ts';
import { poolOf } from '../platform/connections/half_open.ts';
import { countedMetrics, openGauges, type Figures, type Gauges } from '../platform/metrics.ts';
import { addMarketplaceGauges } from './marketplace_gauges.ts';

/** The metrics of this process. They do not reject when a server is unreachable. */
export type Scrape = Figures;

/** Metrics of an API process: its own, and those of the whole marketplace. */
export function openApiMetrics(context: Context): Scrape {
  const gauges = openGauges();
  addPools(gauges, context);
  addPermits(gauges, context);
  return opened(context, gauges, addMarketplaceGauges(gauges, context));
}

/** Metrics of any other process; `addOwn` adds those that only its type has. */
export function openProcessMetrics(context: Context, addOwn?: (gauges: Gauges) => void): Scrape {
  const gauges = openGauges();
  addPools(gauges, context);
  addOwn?.(gauges);
  return opened(context, gauges);
}

/** The collector of OTLP, if there is one, is sent what Prometheus reads. */
function opened({ telemetry }: Context, gauges: Gauges, look?: () => Promise<unknown>): Scrape {
  const scrape: Scrape = {
    async text() {
      await look?.();
      return `${await countedMetrics.text()}\n${await gauges.text()}`;
    },
    async read() {
      await look?.();
      return [...(await countedMetrics.read()), ...(await gauges.read())];
    },
  };
  telemetry?.exportMetrics(scrape);
  return scrape;
}

function addPools(gauges: Gauges, { database, reserved, standby, limiters }: Context): void {
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
  gauges.add(
    'market_standby_lag_seconds',
    'Age of what the standby of DATABASE_READ_URL is known to have. No value: nothing is known.',
    [],
    () => {
      const lagMs = standby?.lagMs();
      return lagMs === undefined ? [] : [[{}, lagMs / 1_000]];
    },
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
