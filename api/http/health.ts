import { setTimeout as sleep } from 'node:timers/promises';

import { migrations } from '../../migrations/files.ts';
import { SKEW_MS_MAX } from '../../shared/platform/clock.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from './routes.ts';

const DATABASE_MS_MAX = 500;

/** What of this process its HTTP has to know. */
export interface Life {
  /**
   * Aborted when it is about to end: whoever chooses between processes should choose another.
   */
  readonly ending: AbortSignal;
}

/** Whether this process is alive, and whether it should be given work. */
export function healthRoutes(context: Context, life: Life): Route[] {
  let asking: Promise<Schema> | undefined;
  /** Asks once at a time: a database that hangs must not be asked by every probe. */
  const ask = () => (asking ??= schemaOf(context).finally(() => (asking = undefined)));
  return [
    { route: 'GET /healthz', handle: alive },
    { route: 'GET /readyz', handle: (ctx) => ready(context, life, ctx, ask()) },
  ];
}

type Schema = 'current' | 'behind' | 'away';

async function alive(ctx: HttpContext): Promise<void> {
  const asked = performance.now();
  await sleep(0);
  const lagMs = Math.round(performance.now() - asked);
  ctx.body = JSON.stringify({ status: 'ok', event_loop_lag_ms: lagMs });
}

async function ready(context: Context, life: Life, ctx: HttpContext, asked: Promise<Schema>) {
  const skewMs = Math.abs(context.clock.skewMs());
  const schema = await Promise.race([asked, timeUp()]);
  const isReady = schema === 'current' && skewMs < SKEW_MS_MAX && !life.ending.aborted;
  ctx.status = isReady ? 200 : 503;
  if (!isReady) ctx.set('Retry-After', '1');
  ctx.body = JSON.stringify({
    status: isReady ? 'ready' : life.ending.aborted ? 'draining' : 'not_ready',
    database: schema === 'away' ? 'away' : 'ok',
    schema: schema === 'away' ? 'unknown' : schema,
    clock_skew_ms: skewMs,
    // Without Redis calls are answered all the same, only later, so this decides nothing.
    redis: context.queue.ready() ? 'ok' : 'away',
  });
}

const wanted = migrations.map((Migration) => new Migration().name);

async function schemaOf({ database }: Context): Promise<Schema> {
  try {
    const [{ ran }] = await database.query(
      `select count(*)::int as ran from migrations where name = any ($1)`,
      [wanted],
    );
    return ran === wanted.length ? 'current' : 'behind';
  } catch {
    return 'away';
  }
}

const timeUp = () => sleep(DATABASE_MS_MAX, 'away' as const, { ref: false });
