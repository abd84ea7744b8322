import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';

import type { ApiSettings } from '../../shared/composition/settings.ts';
import { countRefusal } from '../../shared/composition/invoke/count_refusal.ts';
import { errorBody } from '../../shared/composition/error_body.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { bareHeaders, requestIdOf } from './envelope.ts';

/** Limits for one client of this process, whatever it sends or does not send. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  keepAliveTimeout: 95_000, // Longer than a router in front keeps its connections, which is 90 s.
  connectionsCheckingInterval: 1_000, // Node's default is 30 s, and 10 s would become 40 s.
};

/**
 * Maximum time without a byte in either direction. It is longer than any wait for an answer and
 * any pause of a stream, so it ends only connections whose client does not read.
 */
const IDLE_MS_MAX = 60_000;

/** Maximum connections that wait to be accepted. */
export const BACKLOG = 2_048;

/**
 * An HTTP server that slow and hostile clients cannot block. A request must arrive within
 * `REQUEST_MS`, its headers within ten seconds; otherwise it is answered 408, unless an answer has
 * begun. Connections beyond `CONNECTIONS_MAX` are closed at once. From `draining` on, each answer
 * asks its client to close the connection.
 */
export function openServer(
  { requestMs, connectionsMax }: ApiSettings,
  answer: RequestListener,
  draining: AbortSignal,
): Server {
  const headersTimeout = Math.min(LIMITS.headersTimeout, requestMs);
  const server = createServer({ ...LIMITS, headersTimeout, requestTimeout: requestMs });
  closeAfterAnswers(server, draining);
  server.on('request', answer);
  server.maxConnections = connectionsMax;
  server.timeout = IDLE_MS_MAX;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(socket as HttpSocket, refusalOf(error));
  });
  return server;
}

/**
 * Ends kept-alive connections by their next answer. Closing one that is idle could meet a request
 * that is on its way, and a router without retries would fail that call.
 */
function closeAfterAnswers(server: Server, draining: AbortSignal): void {
  const unanswered = new Set<ServerResponse>();
  const close = (res: ServerResponse) => res.headersSent || res.setHeader('Connection', 'close');
  server.on('request', (_, res: ServerResponse) => {
    if (draining.aborted) return void close(res);
    unanswered.add(res);
    res.once('close', () => unanswered.delete(res));
  });
  draining.addEventListener('abort', () => unanswered.forEach(close));
}

/** The refusal for bytes that could not be read as a request. */
function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout', 'The request did not arrive in time. Send it again.');
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Refusal('payload_too_large', 'The headers of the request are too large.', {
        bytes_max: LIMITS.maxHeaderSize,
      });
    default:
      return new Refusal('bad_request', 'This is not a valid HTTP/1.1 request.');
  }
}

/** A socket, with the field in which Node keeps its current answer and reads it in this case. */
type HttpSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } };

/** Refuses without Koa, which answers only what was understood as a request. */
function refuse(socket: HttpSocket, refusal: Refusal): void {
  // In the middle of another answer, the client would read the refusal as a part of it.
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  countRefusal(refusal.code);
  const requestId = requestIdOf({ headers: {} });
  const body = errorBody(refusal, requestId);
  const headers = Object.entries({ ...bareHeaders(requestId, body), Connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = refusal;
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}
