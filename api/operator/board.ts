import type { Middleware } from 'koa';

import { currentSession } from '../console/session/current.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { HttpContext, State } from '../http/routes.ts';

const PATH = '/admin/queues';

/** The page has inline styles. It asks for a font from outside, and works without it. */
const POLICY =
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  `font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Bull Board for signed-in operators, read-only: PostgreSQL decides which jobs are done, so moving
 * jobs in Redis could only mislead. It is loaded at the first request. It takes no token, because
 * a browser that was given one would send it along from then on.
 */
export function board(context: Context): Middleware<State> {
  let loading: Promise<Middleware> | undefined;

  return async (ctx, next) => {
    if (!/^\/admin\/queues(?![^/?])/.test(ctx.req.url ?? '')) return next();
    ctx.state.route = `${ctx.method} ${PATH}`;
    if (!(await currentSession(context, ctx as HttpContext, 'operator'))) {
      if (ctx.path !== PATH) {
        throw new Refusal('authentication_required', 'Sign in as an operator at /admin/login.');
      }
      ctx.status = 303;
      ctx.set('Location', `/admin/login?next=${PATH}`);
      return;
    }
    if (!['GET', 'HEAD'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD');
      throw new Refusal('method_not_allowed', 'The queues are read-only here.');
    }
    if (!context.queue.ready()) {
      throw new Refusal('service_unavailable', 'Redis does not answer, so no queue can be shown.');
    }
    loading ??= import('./bull_board.ts').then(({ bullBoard }) => bullBoard(context.queue, PATH));
    ctx.set('Content-Security-Policy', POLICY);
    ctx.res.removeHeader('Content-Type'); // Each file of the page sets its own.
    await (
      await loading
    )(ctx as never, () => Promise.resolve());
  };
}
