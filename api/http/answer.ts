import type { Answer } from '../../shared/kernel/call.ts';
import type { RateLimit } from '../../shared/kernel/operation.ts';
import type { WaitPreference } from './wait_preference.ts';
import type { HttpContext } from './routes.ts';

/** The status and the headers of an answer. */
export function setAnswerHeaders(
  ctx: HttpContext,
  answer: Answer,
  { applied }: WaitPreference,
): void {
  ctx.status = answer.status;
  if (answer.replayed) ctx.set('Idempotent-Replayed', 'true');
  if (answer.poll) {
    ctx.set('Location', answer.poll);
    ctx.set('Retry-After', '1');
    if (applied) ctx.set('Preference-Applied', applied);
  }
  setErrorHeaders(ctx, answer.status);
}

/** The headers that HTTP wants with a refusal of this status. */
export function setErrorHeaders(ctx: HttpContext, status: number, code?: string): void {
  if (status === 401) {
    const reason = code === 'invalid_key' ? ', error="invalid_token"' : '';
    ctx.set('WWW-Authenticate', `Bearer realm="agent-marketplace"${reason}`);
  }
  if (status === 429) ctx.set('Retry-After', resetSecondsOf(ctx));
  if (status === 503) ctx.set('Retry-After', '1');
  // The rest of the body may still be on its way, and nobody will read it.
  if (status === 413) ctx.set('Connection', 'close');
}

/** How much of a limit is left (draft-ietf-httpapi-ratelimit-headers). */
export function setRateLimitHeaders(ctx: HttpContext, rateLimit: RateLimit): void {
  const { name, limit, windowSeconds, left, resetSeconds } = rateLimit;
  ctx.set('RateLimit-Policy', `"${name}";q=${limit};w=${windowSeconds}`);
  ctx.set('RateLimit', `"${name}";r=${left};t=${resetSeconds}`);
}

/** Of the limit that was told before, if there is one. */
const resetSecondsOf = (ctx: HttpContext): string =>
  /;t=(\d+)$/.exec(ctx.response.get('RateLimit'))?.[1] ?? '1';
