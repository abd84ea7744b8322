import { openKnownKeys } from '../domains/agents/known_keys.ts';
import { openCallCounts } from '../platform/shares/call_counts.ts';
import { openClock, type Clock } from '../platform/clock.ts';
import type { Config } from './config.ts';
import { errorBody, refusalAnswer } from './error_body.ts';
import { openEventFeed } from '../domains/events/event_feed.ts';
import { databaseOf, STATEMENT_MS_MAX } from '../platform/database.ts';
import { closeSilentConnections } from '../platform/connections/half_open.ts';
import type { Gateways } from './gateways.ts';
import { openLog, type Log } from '../platform/log.ts';
import { catalog } from './catalog.ts';
import { openRefusalCounts } from '../domains/policies/anomalies/refusal_counts.ts';
import { openRequestLog } from '../domains/requests/request_log.ts';
import { openQueue } from '../jobs/queue.ts';
import type { Store } from '../platform/redis.ts';
import { openLimiter, type Limiter } from '../platform/limiter.ts';
import { openProgress } from '../platform/progress.ts';
import { openStandby } from '../platform/connections/standby.ts';
import { openSchemaFit } from '../platform/connections/schema_fit.ts';
import { checkColumns } from '../platform/rows.ts';
import { openBackoff } from '../platform/shares/backoff.ts';
import { openPace } from '../platform/shares/pace.ts';
import { openTurns } from '../platform/shares/turns.ts';
import type { Telemetry } from '../platform/telemetry/open_telemetry.ts';
import { withSpans } from '../platform/telemetry/gateway_spans.ts';
import { setTracing } from '../platform/telemetry/tracing.ts';
import { openSecrets } from '../platform/secrets.ts';
import { databaseChecks } from '../platform/self_checks/database_checks.ts';
import { assertMasterKeys } from '../platform/self_checks/key_canaries.ts';
import { masterKeyFaultsBefore } from './master_keys/proof.ts';
import { WAIT_SECONDS_MAX } from '../jobs/settings.ts';
import type { Context } from './context.ts';
import { RATE_WINDOW_SECONDS } from '../kernel/rate_limit.ts';
import { overloaded } from '../kernel/refusal.ts';

/** Permits of a tree per free permit: alone it gets 8 of 9; of 300, 33 stay free for others. */
const PERMITS_PER_FREE = 8;
/** Connections of a tree per free one: alone it gets 2 of 3. */
const TRANSACTIONS_PER_FREE = 2;
/** Connections for work that all calls share: batches, keys, answers, revocations. */
const SHARED_CONNECTIONS = 4;
/** Maximum costly reads of a process at once: each keeps a core of PostgreSQL busy. */
const COSTLY_READS_MAX = 2;
/** Costly reads of a tree per free one: alone it gets 1 of 2. */
const COSTLY_READS_PER_FREE = 1;
/** Maximum waiting costly reads; more are refused, because they would wait for seconds. */
const WAITING_COSTLY_READS_MAX = 200;
/** Connections shared by the duties of a process; each duty has one statement at a time. */
const RESERVED_CONNECTIONS = 3;

/** The clock and log of a process, for its gateways. */
export interface ClockAndLog {
  readonly clock: Clock;
  readonly log: Log;
}

interface Parameters {
  /** Name of the process in the log. */
  readonly process: string;
  /** Prefix of every key in Redis. */
  readonly prefix?: string;
  /** Makes the gateways, in a worker. */
  readonly gateways?: (store: Store, own: ClockAndLog) => Gateways;
}

/** Opens the context of a process. Waits for PostgreSQL, without which nothing can be done. */
export async function openContext(
  config: Config,
  { process, prefix, gateways }: Parameters,
): Promise<Context> {
  const telemetry = await telemetryOf(config, process);
  const log = openLog(config.logLevel, process, telemetry && (() => telemetry.tracing.ids()));
  telemetry?.reportTo(log);
  checkColumns(!config.production);
  const options = {
    prepares: config.databasePrepares,
    connectMs: config.databaseConnectMs,
    onUnprepared: () =>
      log.warn(
        'statements are not prepared any more: the pooler before PostgreSQL gives each transaction ' +
          'another session. Use PgBouncer 1.21 or later with max_prepared_statements above 0, or ' +
          'set DATABASE_PREPARES=false',
      ),
  };
  const [database, reserved] = await Promise.all([
    databaseOf(config.databaseUrl, config.databaseConnections, options).initialize(),
    databaseOf(config.databaseUrl, RESERVED_CONNECTIONS, options).initialize(),
  ]);
  const { databaseReadUrl, databaseReadLagMs: lagMsMax } = config;
  const standby =
    databaseReadUrl === undefined
      ? undefined
      : openStandby({
          primary: reserved,
          standby: databaseOf(databaseReadUrl, config.databaseConnections, options),
          lagMsMax,
          log,
        });
  closeSilentConnections([database, reserved], STATEMENT_MS_MAX + 500);
  const secrets = openSecrets(config.masterKeys);
  await assertMasterKeys(reserved, secrets, (db) => masterKeyFaultsBefore(db, secrets));
  for (const check of [...config.selfChecks, ...(await databaseChecks(reserved, secrets))]) {
    if (check.status !== 'ok') log.warn({ check: check.name, status: check.status }, check.message);
  }
  const clock = openClock();
  await clock.adjust(reserved);
  const queue = openQueue(config.redisUrl, log, { clock, redisMs: config.redisMs, prefix });
  return {
    config,
    database,
    reserved,
    ...(standby && { standby }),
    secrets,
    clock,
    limiters: {
      calls: limiterOf(config, log),
      jobs: limiterOf(config, log),
      transactions: openTurns({
        max: Math.max(1, config.databaseConnections - SHARED_CONNECTIONS),
        perFree: TRANSACTIONS_PER_FREE,
        refuse: overloaded,
      }),
      costlyReads: openTurns({
        max: COSTLY_READS_MAX,
        perFree: COSTLY_READS_PER_FREE,
        waitingMax: WAITING_COSTLY_READS_MAX,
        refuse: overloaded,
      }),
      refusals: openPace(),
      operatorLogins: openBackoff(config.agents.wrongTokens),
    },
    recording: openProgress(),
    schemaFit: openSchemaFit(),
    refusalAnswer,
    operations: catalog,
    log,
    feed: openEventFeed(reserved, log),
    queue,
    refusalCounts: openRefusalCounts(reserved, log),
    requestLog: openRequestLog({
      database: reserved,
      log,
      bodyOf: errorBody,
      days: config.requests.days,
    }),
    callCounts: openCallCounts(queue, log, RATE_WINDOW_SECONDS * 1_000),
    keys: openKnownKeys(database, secrets, {
      reserved,
      databaseMs: config.databaseMs,
      levels: config.api.tiers,
    }),
    ...(telemetry && { telemetry }),
    ...(gateways && { gateways: withSpans(gateways(queue, { clock, log }), telemetry?.tracing) }),
  };
}

/** Loads the packages of OpenTelemetry only where a collector is set. */
async function telemetryOf(
  { telemetry: settings, release }: Config,
  process: string,
): Promise<Telemetry | undefined> {
  const { endpoint } = settings;
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import('../platform/telemetry/open_telemetry.ts');
  const telemetry = openTelemetry(endpoint, settings, { process, release });
  setTracing(telemetry.tracing);
  return telemetry;
}

function limiterOf({ api, databaseMs }: Config, log: Log): Limiter {
  return openLimiter({
    permitsMax: api.callsMax,
    perFree: PERMITS_PER_FREE,
    // Longer than any call, which may wait for its job and then for the database.
    permitMsMax: databaseMs + WAIT_SECONDS_MAX * 1_000 + api.stuckMs,
    refuse: overloaded,
    onOverdue: (permits) => log.error({ permits }, 'permits were not released, and taken back'),
  });
}

export async function closeContext(context: Context): Promise<void> {
  const { feed, queue, keys, database, reserved, limiters, refusalCounts, requestLog } = context;
  const { telemetry, standby } = context;
  feed.close();
  keys.stop();
  limiters.refusals.close();
  const sent = telemetry?.close();
  // The queue may wait for a Redis that does not answer.
  await Promise.all([queue.close(), requestLog.close()]);
  await sent;
  await refusalCounts.close();
  await standby?.close();
  await Promise.all([database.destroy(), reserved.destroy()]);
}
