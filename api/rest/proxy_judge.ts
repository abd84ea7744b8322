import { seenIn } from '../../shared/domains/proxies/checks/forwarding.ts';
import { judge, NONCE } from '../../shared/domains/proxies/checks/judge.ts';
import { PAGE_PATH, pageOf } from '../../shared/domains/proxies/checks/page.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import type { Context } from '../../shared/composition/context.ts';
import { callerAddress } from '../http/caller_address.ts';
import type { Route } from '../http/routes.ts';

/** Answers proxy checks: the judge of domains/proxies/checks/judge.ts, and a plain page. */
export function proxyJudgeRoutes({ secrets, config }: Context): Route[] {
  const page = pageOf(secrets);
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
        const seen = seenIn(ctx.req.headers, config.api.trustedHops);
        ctx.body = JSON.stringify(judge(secrets, { address, nonce, seen }));
        ctx.type = 'json';
      },
    },
    {
      // The page that checks ask for beside the judge: see workers/gateways/proxies/pages.ts.
      route: `GET ${PAGE_PATH}`,
      handle(ctx) {
        ctx.body = page;
        ctx.type = 'html';
      },
    },
  ];
}
