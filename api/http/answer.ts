import type { Answer } from '../../shared/kernel/call.ts';
import type { RateLimit } from '../../shared/kernel/tx.ts';
import type { WaitPreference } from './wait_preference.ts';
import type { CallContext } from './routes.ts';

/** The status and the headers of an answer. */
export function setAnswerHeaders(
  ctx: CallContext,
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
export function setErrorHeaders(ctx: CallContext, status: number, code?: string): void {
  if (status === 401) {
    const reason = code === 'invalid_key' ? ', error="invalid_token"' : '';
    ctx.set('WWW-Authenticate', `Bearer realm="agent-marketplace"${reason}`);
  }
  if (status === 429) ctx.set('Retry-After', resetSecondsOf(ctx));
  if (status === 503) ctx.set('Retry-After', '1');
  // The rest of the body may still be on its way, and nobody will read it.
  if (status === 413) ctx.set('Connection', 'close');
}

/** Sets what is left of each limit that counts this call (draft-ietf-httpapi-ratelimit-headers). */
export function setRateLimitHeaders(ctx: CallContext, rateLimit: RateLimit): void {
  const rateLimits = (ctx.state.rateLimits ??= new Map<string, RateLimit>());
  rateLimits.set(rateLimit.name, rateLimit);
  const all = [...rateLimits.values()];
  ctx.set(
    'RateLimit-Policy',
    all.map(({ name, limit, windowSeconds: w }) => `"${name}";q=${limit};w=${w}`).join(', '),
  );
  ctx.set(
    'RateLimit',
    all.map(({ name, left, resetSeconds: t }) => `"${name}";r=${left};t=${t}`).join(', '),
  );
}

/** Seconds until the limit that was reported last resets, if there is one. */
const resetSecondsOf = (ctx: CallContext): string =>
  /;t=(\d+)$/.exec(ctx.response.get('RateLimit'))?.[1] ?? '1';
