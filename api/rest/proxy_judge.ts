import { judge, NONCE } from '../../shared/proxies/checks/judge.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { callerAddress } from '../http/caller_address.ts';
import type { Route } from '../http/routes.ts';

/** Answers a check with the address that it comes from: see shared/proxies/checks/judge.ts. */
export function proxyJudgeRoutes({ secrets, config }: Context): Route[] {
  return [
    {
      route: 'GET /api/v1/proxy/judge',
      handle(ctx) {
        const { nonce } = ctx.query;
        if (typeof nonce !== 'string' || !NONCE.test(nonce)) {
          throw invalid([
            { pointer: '/nonce', message: 'must be 22 to 64 characters of base64url' },
          ]);
        }
        const address = callerAddress(ctx.req, config.api.trustedHops);
        ctx.body = JSON.stringify(judge(secrets, { address, nonce }));
        ctx.type = 'json';
      },
    },
  ];
}
