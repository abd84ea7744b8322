import { AsyncLocalStorage } from 'node:async_hooks';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { countCalls } from '../../shared/composition/invoke/count_calls.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { setRateLimitHeaders } from '../http/answer.ts';
import type { HttpContext } from '../http/routes.ts';

/** Path of the authorization server; with the origin it is its issuer. */
export const OAUTH = '/oauth';

const BODY_BYTES_MAX = 16 * 1024;

/** The request that the authorization server answers. */
interface OAuthRequest {
  readonly requestId: string;
  readonly address: string;
}

const requests = new AsyncLocalStorage<OAuthRequest>();

/** The request that is being answered. */
export function currentRequest(): OAuthRequest {
  const request = requests.getStore();
  if (!request) throw new Error('the authorization server is used outside of a request');
  return request;
}

/** Counts requests as calls of their address, and makes each known while it is answered. */
export const guarded =
  <R extends unknown[]>(
    context: Context,
    handle: (ctx: HttpContext, ...rest: R) => Promise<void>,
  ) =>
  async (ctx: HttpContext, ...rest: R): Promise<void> => {
    const { requestId, address } = ctx.state;
    if ((ctx.request.length ?? 0) > BODY_BYTES_MAX) {
      const most = { bytes_max: BODY_BYTES_MAX };
      throw new Refusal('payload_too_large', 'The body is too large.', most);
    }
    const onRateLimit = (limit: Parameters<typeof setRateLimitHeaders>[1]) =>
      setRateLimitHeaders(ctx, limit);
    await countCalls(context, { caller: PLATFORM, address, onRateLimit });
    await requests.run({ requestId, address }, () => handle(ctx, ...rest));
  };

/** Sets host and scheme: links are made from the host, and cookies depend on the scheme. */
export function pinOrigin({ req }: HttpContext, publicUrl: string): void {
  const { host, protocol } = new URL(publicUrl);
  req.headers.host = host;
  delete req.headers['x-forwarded-host'];
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
}
