import type { Middleware } from 'koa';

import type { Context } from '../../shared/composition/context.ts';
import type { Log } from '../../shared/platform/log.ts';
import { countRefusal } from '../../shared/composition/invoke/count_refusal.ts';
import { errorBody, nextAfter } from '../../shared/composition/error_body.ts';
import { Refusal, refusalOf } from '../../shared/kernel/refusal.ts';
import { setErrorHeaders } from './answer.ts';
import { SenderDisconnected } from './request.ts';
import type { CallContext, State } from './routes.ts';

/**
 * Gives every error one shape. A fault shows nothing of itself.
 */
export const errors =
  (log: Log): Middleware<State> =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answerError(log, ctx, error);
    }
  };

/** Answers a call with its refusal, if its sender is still there. */
export function answerError(log: Log, ctx: CallContext, error: unknown): void {
  if (error instanceof SenderDisconnected) return;
  answer(ctx, refusalFor(log, ctx.state, error));
}

/**
 * The refusal that a caller is sent for an error. It is counted here, and faults are logged, once
 * for all interfaces.
 */
export function refusalFor(log: Log, { requestId, operation }: State, error: unknown): Refusal {
  const refusal = refusalOf(error);
  countRefusal(refusal.code);
  const fault = error === refusal ? refusal.cause : error;
  if (fault !== undefined) {
    log.error({ err: fault, request_id: requestId, operation }, 'a call failed');
  }
  return refusal;
}

/** Waits for the pace of a caller that has too many refusals, if this error is one of those. */
export async function keepPace(
  { limiters }: Pick<Context, 'limiters'>,
  { tree, address }: Pick<State, 'tree' | 'address'>,
  error: unknown,
): Promise<void> {
  if (error instanceof Refusal && error.isPaced) await limiters.refusals.wait(tree || address);
}

function answer(ctx: CallContext, refusal: Refusal): void {
  setErrorHeaders(ctx, refusal.status, refusal.code);
  ctx.set({ ...refusal.headers });
  ctx.status = refusal.status;
  ctx.body = errorBody(refusal, ctx.state.requestId, nextAfter(ctx.state.operation));
}
