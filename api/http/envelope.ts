import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';

import type { Context } from '../../shared/composition/context.ts';
import { withEscapes } from '../../shared/kernel/text.ts';
import { blockOf } from '../../shared/platform/egress/addresses.ts';
import { callerAddress } from './caller_address.ts';
import type { State } from './routes.ts';

/** A request id chosen by its sender. Text like a key must not reach answers and logs. */
const REPEATABLE = /^(?!.*vnxp?_)[\w.-]{1,64}$/;

/** The headers of every answer, and the line about each request in the log. */
export const envelope = (context: Context): Middleware<State> => {
  const begin = openRequests(context);
  return async (ctx, next) => {
    const { req, res, state } = ctx;
    begin(req, res, state);
    for (const [name, value] of headersOf(state.requestId)) res.setHeader(name, value);
    await next();
    // Streams, and the pieces of MCP, are written by their own interfaces.
    if (typeof ctx.body === 'string' && ctx.type === 'application/json') {
      ctx.body = withEscapes(ctx.body);
    }
  };
};

/** Begins a request: notes who asks, and logs a line when its answer has been sent. */
export function openRequests({ config, log }: Pick<Context, 'config' | 'log'>) {
  const { trustedHops } = config.api;
  // A line holds only the fields below, so it is not searched for secrets.
  const lines = log.child({}, { redact: [] });
  return (req: IncomingMessage, res: ServerResponse, state: State): void => {
    const startedAt = performance.now();
    state.requestId = requestIdOf(req);
    state.address = blockOf(callerAddress(req, trustedHops));
    res.once('close', () => {
      lines.info({
        request_id: state.requestId,
        ...state.trace,
        method: req.method,
        route: state.route,
        operation: state.operation,
        agent_id: state.agentId,
        operator: state.operator,
        status: res.statusCode,
        ...(!res.writableFinished && { disconnected: true }),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      });
    });
  };
}

/** The sender's own request id, if it may be repeated; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REPEATABLE.test(sent)
    ? sent
    : `req_${uuidv7().replaceAll('-', '')}`;
}

/** The headers of every answer. */
export const headersOf = (requestId: string) =>
  [
    ['X-Request-Id', requestId],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ] as const;

/** The headers of a whole answer that is sent without Koa. */
export const bareHeaders = (requestId: string, body: string): Record<string, string | number> => ({
  ...Object.fromEntries(headersOf(requestId)),
  'Content-Length': Buffer.byteLength(body),
});
