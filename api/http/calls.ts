import { tokenOf } from '../../shared/domains/agents/authenticate.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { CallBody, Invoke } from '../../shared/kernel/call.ts';
import { setRateLimitHeaders } from './answer.ts';
import { noteCaller, type HttpContext } from './routes.ts';

/**
 * Performs an operation as the sender. `read` is called when that is known. `isCounted`: the
 * sender's rate limit has counted the request before.
 */
export type Perform = (
  operation: string,
  read: () => CallBody | Promise<CallBody>,
  isCounted: boolean,
) => Promise<string>;

/** Performs operations as the caller of a request, for a route that makes several. */
export const callsOf =
  ({ operations }: Context, invoke: Invoke, ctx: HttpContext): Perform =>
  async (name, read, isCounted) => {
    const { body } = await invoke(operations.get(name)!, {
      token: tokenOf(ctx.req),
      read,
      dropUnknown: false,
      requestId: ctx.state.requestId,
      address: ctx.state.address,
      isCounted,
      onCaller: (caller) => noteCaller(ctx.state, caller),
      onRateLimit: (limit) => setRateLimitHeaders(ctx, limit),
    });
    return body;
  };
