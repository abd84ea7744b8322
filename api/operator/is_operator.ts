import { authenticate, scraperTokenOf } from '../../shared/domains/agents/authenticate.ts';
import { errorBody } from '../../shared/composition/error_body.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import type { HttpContext } from '../http/routes.ts';

/** Answers others with 401, so that a browser asks for a password: the token. Any name will do. */
export async function isOperator(context: Context, ctx: HttpContext): Promise<boolean> {
  try {
    const token = scraperTokenOf(ctx.req);
    await authenticate(context, token, { access: 'operator' }, ctx.state);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.status = error.status;
    const { retry_after_seconds: seconds } = error.details as { retry_after_seconds?: number };
    if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
    ctx.set('WWW-Authenticate', 'Basic realm="operators of agent-marketplace", charset="UTF-8"');
    ctx.body = errorBody(error, ctx.state.requestId, []);
    return false;
  }
}
