import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

import type { ApiSettings } from '../../shared/kernel/settings.ts';
import { errorBody } from '../../shared/kernel/error_body.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { bareHeaders, requestIdOf } from './envelope.ts';

/** What a client may take of the process that serves it, whatever it sends or leaves unsent. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  keepAliveTimeout: 95_000, // Longer than a router in front keeps its connections, which is 90 s.
  connectionsCheckingInterval: 1_000, // Node looks every 30 s, which would make 10 s 40.
};

/**
 * Without a byte either way. Longer than anybody waits for an answer, and than a stream is silent;
 * so it ends those who do not read theirs.
 */
const IDLE_MS_MAX = 60_000;

/** So many may be about to be accepted, at the same moment. */
export const BACKLOG = 2_048;

/**
 * An HTTP server that slow and hostile clients cannot hold. A request has to arrive within
 * `REQUEST_MS`, its headers within ten seconds; who is cut off for that hears 408 if nothing of an
 * answer was sent yet. Connections beyond `CONNECTIONS_MAX` are closed as they come.
 */
export function openServer(
  { requestMs, connectionsMax }: ApiSettings,
  answer: RequestListener,
): Server {
  const headersTimeout = Math.min(LIMITS.headersTimeout, requestMs);
  const server = createServer({ ...LIMITS, headersTimeout, requestTimeout: requestMs }, answer);
  server.maxConnections = connectionsMax;
  server.timeout = IDLE_MS_MAX;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    tell(socket as Answering, refusalOf(error));
  });
  return server;
}

/** What was wrong with something that never became a request. */
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
      return new Refusal('bad_request', 'This is not a request of HTTP/1.1.');
  }
}

/** Node keeps the answer that is under way on a socket there, and looks at it likewise. */
type Answering = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } };

/** There is no Koa here: nothing was understood that it could answer. */
function tell(socket: Answering, refusal: Refusal): void {
  // In the middle of another answer it could only be taken for a part of that.
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const requestId = requestIdOf({ headers: {} });
  const body = errorBody(refusal, requestId);
  const headers = Object.entries({ ...bareHeaders(requestId, body), Connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = refusal;
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}
