import { setTimeout as sleep } from 'node:timers/promises';

import { migrations } from '../../migrations/files.ts';
import { SKEW_MS_MAX } from '../../shared/platform/clock.ts';
import { endIdleSessions } from '../../shared/platform/connections/half_open.ts';
import { column, row } from '../../shared/platform/rows.ts';
import { databaseChecks } from '../../shared/platform/self_checks/database_checks.ts';
import type { SelfCheck } from '../../shared/platform/self_checks/self_check.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from './routes.ts';

const DATABASE_MS_MAX = 500;
/** What the database said longer ago says nothing. */
const STALE_AFTER_MS = 2_000;
/** Batches of calls are recorded in milliseconds. */
const STALLED_MS_MAX = 2_000;

/** The state of this process that its interfaces need. */
export interface Lifecycle {
  /** Aborted when the process is about to end: a load balancer should choose another. */
  readonly draining: AbortSignal;
}

/** Whether this process is alive, and whether it should get work. */
export function healthRoutes(context: Context, lifecycle: Lifecycle): Route[] {
  let query: Promise<Found> | undefined;
  /** One query at a time: a database that hangs must not get one from every probe. */
  const ask = () => (query ??= askDatabase(context).finally(() => (query = undefined)));
  return [
    { route: 'GET /healthz', handle: alive },
    { route: 'GET /readyz', handle: (ctx) => ready(context, lifecycle, ctx, ask()) },
  ];
}

/** What the database said about itself. */
interface Found {
  readonly database: 'ok' | 'read_only' | 'away';
  readonly schema: 'current' | 'behind' | 'unknown';
  readonly checks: readonly SelfCheck[];
}
const AWAY: Found = { database: 'away', schema: 'unknown', checks: [] };

async function alive(ctx: HttpContext): Promise<void> {
  const startedAt = performance.now();
  await sleep(0);
  const lagMs = Math.round(performance.now() - startedAt);
  ctx.body = JSON.stringify({ status: 'ok', event_loop_lag_ms: lagMs });
}

async function ready(
  context: Context,
  { draining }: Lifecycle,
  ctx: HttpContext,
  query: Promise<Found>,
) {
  const skewMs = Math.abs(context.clock.skewMs());
  const { database, schema, checks } = await Promise.race([query, timeUp()]);
  const isStalled = context.recording.stalledMs() > STALLED_MS_MAX;
  const isStuck = stuckMsOf(context) > context.config.api.stuckMs;
  const isSafe = checks.every(({ status }) => status !== 'failed');
  const serves = database === 'ok' && schema === 'current' && isSafe && !isStalled && !isStuck;
  const isReady = serves && skewMs < SKEW_MS_MAX && !draining.aborted;
  ctx.status = isReady ? 200 : 503;
  if (!isReady) ctx.set('Retry-After', '1');
  ctx.body = JSON.stringify({
    status: isReady ? 'ready' : draining.aborted ? 'draining' : 'not_ready',
    database,
    schema,
    recording: isStalled ? 'stalled' : 'ok',
    clock_skew_ms: skewMs,
    calls: isStuck ? 'stuck' : 'ok',
    // Without Redis calls are still answered, only later, so this decides nothing.
    redis: context.queue.ready() ? 'ok' : 'away',
    // Anybody may ask, so no messages: those are at /admin and in the log.
    self_checks: Object.fromEntries(
      [...context.config.selfChecks, ...checks].map(({ name, status }) => [name, status]),
    ),
  });
}

/** For how many ms a limiter of this process has been full without any progress. */
export const stuckMsOf = ({ limiters }: Pick<Context, 'limiters'>): number =>
  Math.max(limiters.calls.stuckMs(), limiters.jobs.stuckMs());

const expected = migrations.map((Migration) => new Migration().name);

/** Whether a write could begin, and whether it would find the schema that it expects. */
async function askDatabase({ reserved, secrets }: Context): Promise<Found> {
  const askedAt = performance.now();
  try {
    const { applied, read_only: readOnly } = await row(
      reserved,
      { applied: column.int, read_only: column.boolean },
      `select count(*)::int as applied, current_setting('transaction_read_only')::boolean
              as read_only from migrations where name = any ($1)`,
      [expected],
    );
    const isCurrent = applied === expected.length;
    const checks = isCurrent ? await databaseChecks(reserved, secrets) : [];
    if (performance.now() - askedAt > STALE_AFTER_MS) return AWAY;
    // The next probe asks the server to which the name leads by then.
    if (readOnly) endIdleSessions(reserved);
    return {
      database: readOnly ? 'read_only' : 'ok',
      schema: isCurrent ? 'current' : 'behind',
      checks,
    };
  } catch {
    return AWAY;
  }
}

const timeUp = () => sleep(DATABASE_MS_MAX, AWAY, { ref: false });
