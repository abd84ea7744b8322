import { PassThrough } from 'node:stream';

import type { Lifecycle } from '../../api/http/health.ts';
import type { HttpContext, Route } from '../../api/http/routes.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { cookiesOf, readCookie } from '../session/cookies.ts';
import { currentSession, type SessionKind } from '../session/current.ts';
import { baseOf } from '../session/form.ts';
import type { Changes } from './changes.ts';

/** Proxies close connections on which nothing comes. */
const STILL_HERE_MS = 15_000;

/**
 * `GET /console/live`: server-sent events that name the kinds of what happened to an owner, for
 * pages to fetch themselves again; `?kinds=order,wallet` leaves out others. `GET /admin/live`: of
 * what happens to anybody, with `audit` where an operator has done something, and `clock` every ten
 * seconds. The id of an event names the look that has found it. A stream ends within three seconds
 * of its session, and keeps no session from being over.
 */
export function liveRoutes(context: Context, changes: Changes, { draining }: Lifecycle): Route[] {
  const open = new Set<PassThrough>();
  draining.addEventListener('abort', () => open.forEach((out) => out.end()));

  const routeOf = (kind: SessionKind): Route => ({
    route: `GET ${baseOf(kind)}/live`,
    async handle(ctx) {
      const session = await currentSession(context, ctx, kind, { isPerson: false });
      if (!session) throw new Refusal('authentication_required', 'Sign in first.');
      const out = new PassThrough();
      ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
      ctx.status = 200;
      ctx.body = out;
      out.write('retry: 3000\n\n');
      const token = readCookie(ctx.req, cookiesOf(context.config.api.publicUrl)[kind])!;
      const leave = changes.watch({
        token,
        sessionId: session.id,
        rootId: kind === 'owner' ? session.caller.rootId : undefined,
        kinds: kindsOf(ctx),
        end: () => out.end(),
        tell: (kinds, look) => {
          // What is told to a browser that does not read is for nobody.
          if (!out.writable || out.writableNeedDrain) return;
          out.write(`event: changed\nid: ${changes.markOf(look)}\ndata: ${kinds.join(' ')}\n\n`);
        },
      });
      const timer = setInterval(() => out.write(': still here\n\n'), STILL_HERE_MS);
      open.add(out);
      const close = () => {
        clearInterval(timer);
        open.delete(out);
        leave();
        out.destroy();
      };
      out.once('finish', close);
      ctx.res.once('close', close);
      if (ctx.res.destroyed) close();
      if (draining.aborted) out.end(); // Whatever ends it, the browser asks again.
    },
  });
  return [routeOf('owner'), routeOf('operator')];
}

function kindsOf(ctx: HttpContext): ReadonlySet<string> | undefined {
  const asked = new URLSearchParams(ctx.querystring).get('kinds');
  return asked === null ? undefined : new Set(asked.split(','));
}
