import { PassThrough } from 'node:stream';

import type { Lifecycle } from '../../http/health.ts';
import type { HttpContext, Route } from '../../http/routes.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { cookiesOf, readCookie } from '../session/cookies.ts';
import { currentSession, type SessionKind } from '../session/current.ts';
import { baseOf } from '../session/form.ts';
import type { Changes } from './changes.ts';

/** Proxies close idle connections, so a comment is sent this often. */
const STILL_HERE_MS = 15_000;

/**
 * `GET /console/live`: server-sent events that name the kinds of events of an owner, so that pages
 * fetch themselves again; `?kinds=order,wallet` leaves out the others. `GET /admin/live`: events of
 * everybody, with `audit` after an operator's action, and `clock` every ten seconds. The id of an
 * event names the look that found it. A stream ends within three seconds of its session, and does
 * not prolong the session.
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
          // A browser that does not read gets no more events.
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
      if (draining.aborted) out.end(); // The browser reconnects.
    },
  });
  return [routeOf('owner'), routeOf('operator')];
}

function kindsOf(ctx: HttpContext): ReadonlySet<string> | undefined {
  const asked = new URLSearchParams(ctx.querystring).get('kinds');
  return asked === null ? undefined : new Set(asked.split(','));
}
