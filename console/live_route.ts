import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Lifecycle } from '../api/http/health.ts';
import type { HttpContext, Route } from '../api/http/routes.ts';
import { disconnectOf } from '../api/http/wait_preference.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { openOperatorChanges } from './operator_changes.ts';
import type { Console } from './render.tsx';
import { currentSession, proverOf, type SessionKind } from './session/current.ts';

/** Its session is looked up again as often, so a stream outlives it by no more. */
const WAIT_MS = 5_000;
/** A page is changed at most as often. */
const PAUSE_MS = 1_000;
/** Where the feed cannot wait for this owner, because others do. */
const LOOK_MS = 2_000;

interface Found {
  readonly events: readonly { readonly type: string }[];
  readonly next_cursor: string;
}

/**
 * `GET /console/live`: server-sent events that name the kinds of what happened, for pages to
 * fetch themselves again. It ends with its session, and keeps no session from being over.
 */
export function liveRoute(console: Console, lifecycle: Lifecycle): Route {
  const { context, invoke } = console;
  const listEvents = context.operations.get('list_events')!;

  async function look(ctx: HttpContext, input: object): Promise<Found> {
    const { requestId, address } = ctx.state;
    const startedAt = performance.now();
    const answer = await invoke(listEvents, {
      token: undefined,
      prove: proverOf(context, ctx, 'owner'),
      read: () => ({ input, key: undefined, waitMs: WAIT_MS }),
      dropUnknown: false,
      requestId,
      address,
      disconnect: disconnectOf(ctx.res),
      isCounted: true,
    });
    const found = JSON.parse(answer.body) as Found;
    if (found.events.length === 0) await pause(LOOK_MS - (performance.now() - startedAt));
    return found;
  }

  async function pump(ctx: HttpContext, out: PassThrough): Promise<void> {
    let { next_cursor: cursor } = await first(ctx);
    out.write('retry: 3000\n\n');
    while (!out.destroyed && !lifecycle.draining.aborted) {
      const { events, next_cursor } = await look(ctx, { cursor });
      cursor = next_cursor;
      const kinds = [...new Set(events.map(({ type }) => type.split('.')[0]!))];
      out.write(kinds.length > 0 ? changed(kinds) : ': quiet\n\n');
      if (kinds.length > 0) await pause(PAUSE_MS);
    }
  }

  async function first(ctx: HttpContext): Promise<Found> {
    const { requestId, address } = ctx.state;
    const answer = await invoke(listEvents, {
      token: undefined,
      prove: proverOf(context, ctx, 'owner'),
      read: () => ({ input: { from: 'now' }, key: undefined, waitMs: 0 }),
      dropUnknown: false,
      requestId,
      address,
    });
    return JSON.parse(answer.body) as Found;
  }

  return {
    route: 'GET /console/live',
    async handle(ctx) {
      const out = await openStream(console, ctx, 'owner');
      // Whatever ends it, the browser asks again, and is told why if it may not.
      pump(ctx, out).then(
        () => out.end(),
        () => out.end(),
      );
    },
  };
}

/**
 * `GET /admin/live`: the kinds of what happens to anybody, `audit` where an operator has done
 * something, and `clock` every ten seconds. It ends within two seconds of its session.
 */
export function operatorLiveRoute(console: Console, { draining }: Lifecycle): Route {
  const { context } = console;
  const changes = openOperatorChanges(context);
  return {
    route: 'GET /admin/live',
    async handle(ctx) {
      const out = await openStream(console, ctx, 'operator');
      out.write('retry: 3000\n\n');
      const end = changes.subscribe((kinds) => {
        void stillSigned(ctx).then((isSigned) => {
          if (!isSigned || draining.aborted) out.end();
          // What is told to a browser that does not read is for nobody.
          else if (kinds.length > 0 && !out.writableNeedDrain) out.write(changed(kinds));
        });
      });
      out.once('close', end);
      if (out.destroyed) end();
    },
  };

  async function stillSigned(ctx: HttpContext): Promise<boolean> {
    try {
      return !!(await currentSession(context, ctx, 'operator', { isPerson: false }));
    } catch {
      return false; // The browser asks again.
    }
  }
}

async function openStream(
  { context }: Console,
  ctx: HttpContext,
  kind: SessionKind,
): Promise<PassThrough> {
  const session = await currentSession(context, ctx, kind, { isPerson: false });
  if (!session) throw new Refusal('authentication_required', 'Sign in first.');
  const out = new PassThrough();
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.res.once('close', () => out.destroy());
  ctx.status = 200;
  ctx.body = out;
  return out;
}

const changed = (kinds: readonly string[]) => `event: changed\ndata: ${kinds.join(' ')}\n\n`;

const pause = (ms: number) => (ms > 0 ? sleep(ms) : undefined);
