import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { errorBody } from '../../../shared/composition/error_body.ts';
import { Refusal, type RefusalCode } from '../../../shared/kernel/refusal.ts';
import { Denial } from '../denial.ts';
import { REPLY } from '../messages.ts';
import { addressOf } from '../admission/unauthenticated.ts';
import { loginOf, ownerOf } from '../protocols/login.ts';
import type { ClientProtocol, ClientRequest } from '../protocols/protocol.ts';
import type { ConnectionLog } from '../records/connection_log.ts';
import type { ServerContext } from '../server_context.ts';
import { BadRequest, parseHead, readHead, type ProxyRequest } from './head.ts';
import type { HttpExchange } from './exchange.ts';
import { oneRequest } from './request_body.ts';
import { oneResponse } from './response.ts';

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
/** Seconds after which a client may try again; where no proxy works, once some were checked. */
const RETRY_AFTER_S = 1;
const RETRY_STOCK_AFTER_S = 60;
/** Codes by status, where it is not 400. */
const CODES: Readonly<Record<number, RefusalCode>> = {
  408: 'request_timeout',
  431: 'payload_too_large',
};

/**
 * A client that speaks HTTP to a proxy: CONNECT for a tunnel, or one request for an `http` URL. The
 * connection ends with that request, or a second one could reach the first one's target.
 */
export function httpProxy(
  server: ServerContext,
  client: Socket,
  log: ConnectionLog,
): ClientProtocol {
  const { unauthenticated, refusals } = server;
  let request: ProxyRequest | undefined;
  let exchange: HttpExchange | undefined;
  const timeUp = new AbortController();
  log.http = true;

  async function readProxyRequest(): Promise<ProxyRequest> {
    try {
      return parseHead(await readHead(client, timeUp.signal));
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      const { message, status } = error;
      // The client still counts for its address while it waits, unless it has waited.
      if (status !== 408) await refusals.wait(addressOf(client));
      const code = CODES[status] ?? 'bad_request';
      const refusal = new Refusal(code, message);
      throw new Denial(REPLY.failure, 'bad_head', { refusal, httpStatus: status });
    }
  }

  async function logIn(authorization: string | undefined): Promise<Omit<ClientRequest, 'target'>> {
    const sent = loginIn(authorization);
    const owner = await ownerOf(server, client, sent.password).catch((cause: unknown) => {
      throw new Denial(REPLY.failure, 'fault', { cause });
    });
    const login = loginOf(log, owner, sent);
    if (!(login instanceof Denial)) return login;
    await refusals.wait(addressOf(client));
    throw login;
  }

  function answerOf(denial: Denial): Buffer {
    const status = denial.httpStatus;
    const retryAfterS =
      denial.refusal.code === 'out_of_stock' ? RETRY_STOCK_AFTER_S : RETRY_AFTER_S;
    const requestId = `req_${log.connection.replaceAll('-', '')}`;
    const body = `${errorBody(denial.refusal, requestId, denial.next)}\n`;
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...(status === 407 ? ['Proxy-Authenticate: Basic realm="proxies", charset="UTF-8"'] : []),
      ...(status === 429 || status === 503 ? [`Retry-After: ${retryAfterS}`] : []),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${request?.method === 'HEAD' ? '' : body}`);
  }

  return {
    async readRequest() {
      request = await readProxyRequest();
      unauthenticated.noteGreeting(client);
      const { target, authorization, forwarded } = request;
      const login = await logIn(authorization);
      log.port = target.port;
      if (forwarded) {
        exchange = {
          request: oneRequest(forwarded.head, forwarded.framing),
          response: oneResponse(request.method),
        };
      }
      return { ...login, target };
    },
    expire() {
      timeUp.abort();
      // A login that takes this long has no answer yet.
      if (request) client.destroy();
    },
    accept() {
      log.reply = REPLY.succeeded;
      if (!exchange) client.write(ESTABLISHED);
    },
    deny(denial) {
      const hasAnswer = exchange?.response.hasBegun() ?? log.reply !== undefined;
      // A client that sent no head gets no answer.
      if (hasAnswer || denial.reply === undefined) return;
      log.reply = denial.reply;
      client.write(answerOf(denial));
    },
    get exchange() {
      return exchange;
    },
  };
}

/** The login of Basic authentication (RFC 7617); none is like a login without a password. */
function loginIn(authorization: string | undefined): { name: string; password: string } {
  const [, base64] = /^basic +([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (base64 === undefined) return { name: 'agent', password: '' };
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { name: text, password: '' };
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
