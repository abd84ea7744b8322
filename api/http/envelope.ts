import type { IncomingMessage } from 'node:http';

import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';

import type { Log } from '../../shared/platform/log.ts';
import type { State } from './routes.ts';

/** An id that its sender chose. What looks like a key is not repeated into answers and logs. */
const SANE = /^(?!vnx_)[\w.-]{1,64}$/;

/** What every answer carries whatever became of the request, and the line it leaves in the log. */
export const envelope = (log: Log): Middleware<State> => {
  // A line holds what stands here and nothing else, so it need not be searched for secrets.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const startedAt = performance.now();
    const { req, res, state } = ctx;
    state.requestId = requestIdOf(req);
    res.setHeader('X-Request-Id', state.requestId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', 'application/json; charset=utf-8');

    res.once('close', () => {
      lines.info({
        request_id: state.requestId,
        method: req.method,
        route: state.route,
        operation: state.operation,
        agent_id: state.agentId,
        status: res.statusCode,
        ...(!res.writableFinished && { gone: true }),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      });
    });
    await next();
  };
};

/** The sender's own, if it can be repeated. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE.test(sent) ? sent : `req_${uuidv7().replaceAll('-', '')}`;
}

/** The same for answers that are given without Koa. */
export const bareHeaders = (requestId: string, body: string) => ({
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
});
