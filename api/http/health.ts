import { setTimeout as sleep } from 'node:timers/promises';

import { migrations } from '../../migrations/files.ts';
import { SKEW_MS_MAX } from '../../shared/platform/clock.ts';
import { column, row } from '../../shared/platform/rows.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from './routes.ts';

const DATABASE_MS_MAX = 500;

/** The state of this process that its interfaces need. */
export interface Lifecycle {
  /** Aborted when the process is about to end: a load balancer should choose another. */
  readonly draining: AbortSignal;
}

/** Whether this process is alive, and whether it should get work. */
export function healthRoutes(context: Context, lifecycle: Lifecycle): Route[] {
  let query: Promise<Schema> | undefined;
  /** One query at a time: a database that hangs must not get one from every probe. */
  const schema = () => (query ??= schemaOf(context).finally(() => (query = undefined)));
  return [
    { route: 'GET /healthz', handle: alive },
    { route: 'GET /readyz', handle: (ctx) => ready(context, lifecycle, ctx, schema()) },
  ];
}

type Schema = 'current' | 'behind' | 'away';

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
  query: Promise<Schema>,
) {
  const skewMs = Math.abs(context.clock.skewMs());
  const schema = await Promise.race([query, timeUp()]);
  const isStuck = stuckMsOf(context) > context.config.api.stuckMs;
  const isReady = schema === 'current' && skewMs < SKEW_MS_MAX && !draining.aborted && !isStuck;
  ctx.status = isReady ? 200 : 503;
  if (!isReady) ctx.set('Retry-After', '1');
  ctx.body = JSON.stringify({
    status: isReady ? 'ready' : draining.aborted ? 'draining' : 'not_ready',
    database: schema === 'away' ? 'away' : 'ok',
    schema: schema === 'away' ? 'unknown' : schema,
    clock_skew_ms: skewMs,
    calls: isStuck ? 'stuck' : 'ok',
    // Without Redis calls are still answered, only later, so this decides nothing.
    redis: context.queue.ready() ? 'ok' : 'away',
  });
}

/** For how many ms a limiter of this process has been full without any progress. */
export const stuckMsOf = ({ limiters }: Pick<Context, 'limiters'>): number =>
  Math.max(limiters.calls.stuckMs(), limiters.jobs.stuckMs());

const expected = migrations.map((Migration) => new Migration().name);

async function schemaOf({ database }: Context): Promise<Schema> {
  try {
    const { applied } = await row(
      database,
      { applied: column.int },
      'select count(*)::int as applied from migrations where name = any ($1)',
      [expected],
    );
    return applied === expected.length ? 'current' : 'behind';
  } catch {
    return 'away';
  }
}

const timeUp = () => sleep(DATABASE_MS_MAX, 'away' as const, { ref: false });
