import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { errorBody } from '../../../shared/composition/error_body.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { Denial } from '../denial.ts';
import { REPLY } from '../messages.ts';
import { addressOf } from '../admission/unauthenticated.ts';
import { noteLogin, ownerOf } from '../protocols/login.ts';
import type { ClientProtocol, ClientRequest } from '../protocols/protocol.ts';
import type { ConnectionLog } from '../records/connection_log.ts';
import type { ServerContext } from '../server_context.ts';
import { preferencesOf } from '../user_name.ts';
import { BadHead, parseHead, readHead, type ProxyRequest } from './head.ts';
import { oneRequest } from './request_body.ts';
import { oneResponse } from './response_head.ts';

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
/** Seconds after which a client may try again. */
const RETRY_AFTER_S = 1;

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
  let filters: ClientProtocol['filters'];
  log.http = true;

  async function readProxyRequest(): Promise<ProxyRequest> {
    try {
      return parseHead(await readHead(client));
    } catch (error) {
      if (!(error instanceof BadHead)) throw error;
      // The client still counts for its address while it waits.
      await refusals.wait(addressOf(client));
      const { message, status } = error;
      const code = status === 431 ? 'payload_too_large' : 'bad_request';
      const refusal = new Refusal(code, message);
      throw new Denial(REPLY.failure, 'bad_head', { refusal, httpStatus: status });
    }
  }

  async function logIn(authorization: string | undefined): Promise<Omit<ClientRequest, 'target'>> {
    const { name, password } = loginIn(authorization);
    const owner = await ownerOf(server, client, password).catch((cause: unknown) => {
      throw new Denial(REPLY.failure, 'fault', { cause });
    });
    const preferences = preferencesOf(name);
    if (owner && preferences) {
      noteLogin(log, owner, preferences);
      return { owner, preferences };
    }
    await refusals.wait(addressOf(client));
    const outcome = owner ? 'bad_user_name' : password === '' ? 'no_login' : 'wrong_key';
    throw new Denial(REPLY.failure, outcome);
  }

  function answerOf(denial: Denial): Buffer {
    const status = denial.httpStatus;
    const body = `${errorBody(denial.refusal, log.connection)}\n`;
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...(status === 407 ? ['Proxy-Authenticate: Basic realm="proxies", charset="UTF-8"'] : []),
      ...(status === 429 || status === 503 ? [`Retry-After: ${RETRY_AFTER_S}`] : []),
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
        filters = {
          up: oneRequest(forwarded.head, forwarded.framing),
          down: oneResponse(answerOf(new Denial(REPLY.failure, 'proxy_disconnected'))),
        };
      }
      return { ...login, target };
    },
    accept() {
      log.reply = REPLY.succeeded;
      if (!filters) client.write(ESTABLISHED);
    },
    deny(denial) {
      // A client that sent no head gets no answer.
      if (denial.reply === undefined) return;
      log.reply = denial.reply;
      client.write(answerOf(denial));
    },
    get filters() {
      return filters;
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
