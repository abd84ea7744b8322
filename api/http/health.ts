import { setTimeout as sleep } from 'node:timers/promises';

import { migrationNames } from '../../migrations/files.ts';
import { SKEW_MS_MAX } from '../../shared/platform/clock.ts';
import type { Context } from '../../shared/composition/context.ts';
import {
  servesSchema,
  watchDatabase,
  type DatabaseWatch,
} from '../../shared/composition/database_state.ts';
import type { HttpContext, Route } from './routes.ts';

/** Time in ms that a limiter may be full without progress. Batches are recorded in milliseconds. */
const STALLED_MS_MAX = 2_000;

/** The state of this process that its interfaces need. */
export interface Lifecycle {
  /** Aborted when the process is about to end: a load balancer should choose another. */
  readonly draining: AbortSignal;
}

/** Whether this process is alive, and whether it should get work. */
export function healthRoutes(context: Context, lifecycle: Lifecycle): Route[] {
  const watch = watchDatabase(context, migrationNames);
  return [
    { route: 'GET /healthz', handle: alive },
    { route: 'GET /readyz', handle: (ctx) => ready(context, lifecycle, ctx, watch) },
  ];
}

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
  watch: DatabaseWatch,
) {
  const skewMs = Math.abs(context.clock.skewMs());
  const { database, schema, checks } = await watch.look();
  const isStalled = context.recording.stalledMs() > STALLED_MS_MAX;
  const isStuck = stuckMsOf(context) > context.config.api.stuckMs;
  const isSafe = checks.every(({ status }) => status !== 'failed');
  const isUsable = database === 'ok' && servesSchema(schema) && isSafe;
  const serves = isUsable && !isStalled && !isStuck;
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
    // Without Redis calls are still answered, only later, so it does not decide the status.
    redis: context.queue.ready() ? 'ok' : 'away',
    // Anybody may ask, so messages are left out: they are at /admin and in the log.
    self_checks: Object.fromEntries(
      [...context.config.selfChecks, ...checks].map(({ name, status }) => [name, status]),
    ),
  });
}

/** Milliseconds for which a limiter of this process has been full without any progress. */
export const stuckMsOf = ({ limiters }: Pick<Context, 'limiters'>): number =>
  Math.max(limiters.calls.stuckMs(), limiters.jobs.stuckMs());
