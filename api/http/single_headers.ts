import type { IncomingMessage } from 'node:http';

import type { Middleware } from 'koa';

import { Refusal } from '../../shared/kernel/refusal.ts';
import type { State } from './routes.ts';

/**
 * Headers that decide who calls, what is paid, and what is a repeat. Of some of them Node keeps the
 * first and drops the others without a word; a router in front, or a log, may believe the last.
 */
const SINGLE = new Set([
  'authorization',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'payment-signature',
  'stripe-signature',
  'x-idempotency-key',
  'x-payment',
]);

export const singleHeaders: Middleware<State> = (ctx, next) => {
  refuseRepeated(ctx.req);
  return next();
};

/** Refuses a request that has one of these headers twice, even if both are equal. */
export function refuseRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) {
      throw new Refusal('bad_request', `The header ${rawHeaders[n]} was sent twice: send it once.`);
    }
    seen.add(name);
  }
}
