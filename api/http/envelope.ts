import type { IncomingMessage } from 'node:http';

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
export const envelope = ({ config, log }: Context): Middleware<State> => {
  const { trustedHops } = config.api;
  // A line holds only the fields below, so it is not searched for secrets.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const startedAt = performance.now();
    const { req, res, state } = ctx;
    state.requestId = requestIdOf(req);
    state.address = blockOf(callerAddress(req, trustedHops));
    res.setHeader('X-Request-Id', state.requestId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', 'application/json; charset=utf-8');

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
    await next();
    // Streams, and the pieces of MCP, are written by their own interfaces.
    if (typeof ctx.body === 'string' && ctx.type === 'application/json') {
      ctx.body = withEscapes(ctx.body);
    }
  };
};

/** The sender's own request id, if it may be repeated; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REPEATABLE.test(sent)
    ? sent
    : `req_${uuidv7().replaceAll('-', '')}`;
}

/** The same headers for answers that are sent without Koa. */
export const bareHeaders = (requestId: string, body: string) => ({
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
});
