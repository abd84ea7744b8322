import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Context } from '../../shared/composition/context.ts';
import { withEscapes } from '../../shared/kernel/text.ts';
import { corsHeaders } from '../http/cors.ts';
import { openRequests } from '../http/envelope.ts';
import { answerError } from '../http/errors.ts';
import { refuseRepeated } from '../http/single_headers.ts';
import type { State } from '../http/routes.ts';
import { DirectContext } from './direct_context.ts';
import type { RestRoute } from './rest.ts';

/** A request target that needs no parser: no part of it but the query may follow the path. */
const PLAIN = /^\/[!"$-~]*$/;

/**
 * Answers calls at the exact path of an operation without Koa, which costs a tenth of the CPU that
 * this process spends on a purchase. All else is for `others`: paths with parameters, other
 * methods, streams, answers in other forms. A call is answered the same, by the same functions.
 */
export function direct(
  context: Context,
  routes: readonly RestRoute[],
  others: RequestListener,
): RequestListener {
  const { config, log } = context;
  const begin = openRequests(context);
  const exact = new Map(routes.filter(isDirect).map((one) => [one.route, one]));

  async function answer(
    route: RestRoute,
    { req, res, path, query }: { req: IncomingMessage; res: ServerResponse } & Target,
  ): Promise<void> {
    const state = { route: route.route, operation: route.operation } as State;
    begin(req, res, state);
    const ctx = new DirectContext({ req, res, state, path, query });
    ctx.set(corsHeaders(config.api.corsOrigins, req));
    try {
      refuseRepeated(req);
      await route.handle(ctx);
    } catch (error) {
      answerError(log, ctx, error);
    }
    if (typeof ctx.body === 'string') ctx.send(withEscapes(ctx.body));
  }

  return (req, res) => {
    const target = targetOf(req);
    const route = target && exact.get(`${req.method} ${target.path}`);
    if (!route || wantsStream(req)) return others(req, res);
    answer(route, { req, res, ...target }).catch((error: unknown) => {
      log.error({ err: error }, 'an answer could not be sent');
      res.destroy();
    });
  };
}

/** Whether every answer of the operation is one text of JSON. */
const isDirect = ({ route, op }: RestRoute): boolean =>
  !route.includes(':') && op.bindings?.forms === undefined;

const wantsStream = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').includes('text/event-stream');

interface Target {
  readonly path: string;
  readonly query: string;
}

function targetOf({ url = '' }: IncomingMessage): Target | undefined {
  if (!PLAIN.test(url)) return undefined;
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
