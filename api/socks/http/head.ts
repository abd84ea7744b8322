import type { Socket } from 'node:net';

import { isAddress, type HostPort } from '../../../shared/platform/egress/addresses.ts';
import { ProtocolError } from '../messages.ts';

/*
 * The head of a request to an HTTP proxy (RFC 9110, 9112). What two readers could understand in two
 * ways is refused, because the next reader is the target.
 */

/** A request that is not accepted. `status` is the answer's, `message` is for the client. */
export class BadRequest extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** The length of a request's body. */
export type Framing = { readonly length: number } | 'chunked';

export interface ProxyRequest {
  readonly method: string;
  /** The target of the connection, as the client wrote it. */
  readonly target: HostPort;
  /** Text of Proxy-Authorization, if there is one. */
  readonly authorization: string | undefined;
  /** The head for the target and the body behind it; undefined: CONNECT, a tunnel. */
  readonly forwarded: { readonly head: string; readonly framing: Framing } | undefined;
}

/** Maximum bytes of a head. */
const HEAD_MAX = 16_384;
const END_OF_HEAD = '\r\n\r\n';
const UNFINISHED = 'The head of the request is not complete: an empty line ends it.';

/** Reads a head until its time is `up`. What follows it stays in the socket. */
export function readHead(client: Socket, up: AbortSignal): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const settle = (answer: () => void) => {
      client.off('readable', read).off('end', refuse).off('close', fail);
      up.removeEventListener('abort', expire);
      answer();
    };
    const fail = () => settle(() => reject(new ProtocolError('disconnected')));
    const refuse = () => settle(() => reject(new BadRequest(UNFINISHED)));
    const expire = () => settle(() => reject(new BadRequest(UNFINISHED, 408)));
    const read = () => {
      for (;;) {
        const chunk = client.read() as Buffer | null;
        if (chunk === null) return;
        const searchFrom = Math.max(0, text.length - END_OF_HEAD.length);
        const before = text.length;
        text += chunk.toString('latin1');
        const end = text.indexOf(END_OF_HEAD, searchFrom);
        if ((end < 0 ? text.length : end) > HEAD_MAX) {
          return settle(() => reject(new BadRequest(`A head has at most ${HEAD_MAX} bytes.`, 431)));
        }
        if (/(?:^|[^\r])\n/.test(text.slice(searchFrom, end < 0 ? undefined : end))) {
          return settle(() =>
            reject(new BadRequest('Lines of a head end with CRLF, not with LF.')),
          );
        }
        if (end < 0) continue;
        const rest = chunk.subarray(end + END_OF_HEAD.length - before);
        if (rest.length > 0) client.unshift(rest);
        return settle(() => resolve(text.slice(0, end)));
      }
    };
    if (client.readableEnded || client.destroyed) {
      return reject(new ProtocolError('disconnected'));
    }
    client.on('readable', read).on('end', refuse).on('close', fail);
    up.addEventListener('abort', expire);
    return read();
  });
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,32}) ([!-~\x80-\xff]+) HTTP\/(1\.[01])$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*$/;
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([^:[\]@/?#\\]+))(?::(\d{0,5}))?$/i;
const HTTP_PORT = 80;
const NEEDS_TUNNEL =
  'A URL with https needs a tunnel: send CONNECT host:443. Older axios with its setting proxy, or ' +
  'with HTTPS_PROXY, sends the URL: set httpsAgent to an https-proxy-agent, and proxy to false.';

/** Parses a head. Throws BadRequest. */
export function parseHead(text: string): ProxyRequest {
  const [first, ...lines] = text.split('\r\n');
  const [, method, uri, version] = REQUEST_LINE.exec(first!) ?? [];
  if (method === undefined) throw new BadRequest('This is not a request of HTTP/1.1.');
  const fields = lines.map((line) => {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined) throw new BadRequest('A field of the head is not valid.');
    return { name, value: value! };
  });
  for (const name of SINGLE) {
    if (valuesOf(fields, name).length > 1) throw new BadRequest(`${name} is given twice.`);
  }
  const framing = framingOf(fields, version!);
  const [authorization] = valuesOf(fields, 'proxy-authorization');
  if (method === 'CONNECT') {
    if (framing === 'chunked' || framing.length > 0) throw new BadRequest('CONNECT has no body.');
    return { method, target: targetOf(uri!), authorization, forwarded: undefined };
  }
  const [, authority, path] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(uri!) ?? [];
  if (/^https:/i.test(uri!)) throw new BadRequest(NEEDS_TUNNEL);
  if (authority === undefined) {
    throw new BadRequest('This is a proxy: send CONNECT host:port, or GET http://host/path.');
  }
  if (authority.includes('@')) {
    throw new BadRequest('A URL has no login: send that of the target in Authorization.');
  }
  const target = targetOf(authority, HTTP_PORT);
  const pathOf = path!.startsWith('/') ? path! : `/${path!}`;
  const head = [
    `${method} ${pathOf} HTTP/${version!}`,
    `Host: ${authority.replace(/:$/, '')}`,
    ...endToEnd(fields, ['host']).map(({ name, value }) => `${name}: ${value}`),
    'Connection: close',
  ];
  return {
    method,
    target,
    authorization,
    forwarded: { head: head.join('\r\n') + END_OF_HEAD, framing },
  };
}

/** Fields that must not be there twice. */
const SINGLE = ['host', 'content-length', 'transfer-encoding', 'proxy-authorization'] as const;

export interface Field {
  readonly name: string;
  readonly value: string;
}

export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.flatMap((field) => (field.name.toLowerCase() === name ? field.value : []));

function framingOf(fields: readonly Field[], version: string): Framing {
  const [length] = valuesOf(fields, 'content-length');
  const [encoding] = valuesOf(fields, 'transfer-encoding');
  if (encoding !== undefined) {
    // Two readers could see two different requests (RFC 9112 §6.1).
    if (length !== undefined)
      throw new BadRequest('Content-Length and Transfer-Encoding are given.');
    if (version === '1.0' || !/^chunked$/i.test(encoding)) {
      throw new BadRequest('Transfer-Encoding can only be chunked.');
    }
    return 'chunked';
  }
  if (length !== undefined && !/^\d{1,15}$/.test(length)) {
    throw new BadRequest('Content-Length is not valid.');
  }
  return { length: Number(length ?? 0) };
}

function targetOf(authority: string, defaultPort?: number): HostPort {
  const [, address, name, digits] = AUTHORITY.exec(authority) ?? [];
  // An empty port is the default one (RFC 3986 §3.2.3).
  const port = digits === undefined || digits === '' ? defaultPort : Number(digits);
  const isValid = address === undefined ? name !== undefined : isAddress(address);
  if (!isValid || port === undefined) throw new BadRequest('The target is not host:port.');
  return { host: address ?? name!, port };
}

/** Fields about one connection (RFC 9110 §7.6.1). The framing stays, as the body does. */
const HOP_BY_HOP: readonly string[] = ['connection', 'keep-alive', 'te', 'upgrade'];
export const FRAMING: readonly string[] = ['content-length', 'transfer-encoding'];

/** The fields that are for the other end, and not for a proxy. */
export function endToEnd(fields: readonly Field[], except: readonly string[] = []): Field[] {
  const named = valuesOf(fields, 'connection')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase());
  return fields.filter((field) => {
    const name = field.name.toLowerCase();
    if (FRAMING.includes(name)) return true;
    if (name.startsWith('proxy-') || HOP_BY_HOP.includes(name)) return false;
    return !named.includes(name) && !except.includes(name);
  });
}
