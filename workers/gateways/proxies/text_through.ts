import { connect, isIP, isIPv4, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';

import ipaddr from 'ipaddr.js';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import { BadAnswer, openAnswerReader, AnswerTooLong, type Answer } from './http_answer.ts';

/** The target of a URL, with the bytes to send, made once for many proxies. */
export interface Target {
  readonly url: string;
  readonly host: string;
  readonly isSecure: boolean;
  /** The request to connect (RFC 1928 §4). */
  readonly connect: Buffer;
  readonly path: string;
  /** Head of the HTTP request, after its first line. */
  readonly head: string;
}

interface ProxiedRequest {
  readonly target: Target;
  readonly query?: string;
  /** Authorities to trust; absent: the usual ones. */
  readonly secureContext?: SecureContext | undefined;
}

const GREETING = Buffer.from([5, 1, 0]);
const KIND = { ipv4: 1, name: 3, ipv6: 4 } as const;
/** Length of the shortest reply that states its own length. */
const REPLY_START = 5;
/** Maximum bytes of UTF-8 for a character of JavaScript. */
const CHAR_BYTES_MAX = 3;

export function targetOf(url: string): Target {
  const { hostname, host: authority, port, protocol, pathname, search } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const bytes = isIP(host)
    ? Buffer.from(ipaddr.parse(host).toByteArray())
    : Buffer.from([host.length, ...Buffer.from(host, 'latin1')]);
  const kind = isIPv4(host) ? KIND.ipv4 : isIP(host) ? KIND.ipv6 : KIND.name;
  const number = Number(port || (isSecure ? 443 : 80));
  return {
    url,
    host,
    isSecure,
    connect: Buffer.from([5, 1, 0, kind, ...bytes, number >> 8, number & 0xff]),
    path: pathname + search,
    head: ` HTTP/1.1\r\nhost: ${authority}\r\nconnection: close\r\n\r\n`,
  };
}

/**
 * The body of a 200 answer through a SOCKS5 proxy without a password; undefined: another status.
 * The proxy resolves the name. It settles in time, whatever comes. Written by hand, because an
 * agent for SOCKS5 with Node's HTTP client takes twice the CPU, and a pool is checked all day.
 */
export function textThrough(
  proxy: HostPort,
  { target, query = '', secureContext }: ProxiedRequest,
  { timeoutMs, charsMax }: { timeoutMs: number; charsMax: number },
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(proxy);
    const answer = openAnswerReader(charsMax * CHAR_BYTES_MAX);
    let step: (chunk: Buffer) => void = readMethod;
    let received: Buffer = Buffer.alloc(0);

    let isOver = false;
    function end(fault: Error): void {
      isOver = true;
      clearTimeout(timeUp);
      socket.destroy();
      reject(fault);
    }
    const timeUp = setTimeout(() => end(new BadAnswer('it took too long')), timeoutMs);

    /** Errors thrown in `work` are faults of the proxy. */
    const guarded = (work: () => void) => () => {
      try {
        work();
      } catch (error) {
        end(error as Error);
      }
    };
    function listen(to: Socket): void {
      to.on('data', (chunk: Buffer) => guarded(() => step(chunk))());
      to.on(
        'end',
        guarded(() => finish(answer.end())),
      );
      to.on('error', end);
      to.on('close', () => isOver || end(new BadAnswer('it ended without an answer')));
    }

    function readMethod(chunk: Buffer): void {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2) return;
      if (received[0] !== 5 || received[1] !== 0) throw new BadAnswer('it does not let us in');
      received = received.subarray(2);
      step = readReply;
      socket.write(target.connect);
    }

    function readReply(chunk: Buffer): void {
      received = Buffer.concat([received, chunk]);
      if (received.length < REPLY_START) return;
      if (received[0] !== 5 || received[1] !== 0) throw new BadAnswer('it does not connect');
      const length = replyLengthOf(received);
      if (received.length < length) return;
      const rest = received.subarray(length);
      step = readAnswer;
      if (target.isSecure) return secure(rest);
      ask(socket);
      if (rest.length > 0) readAnswer(rest);
    }

    function secure(rest: Buffer): void {
      socket.removeAllListeners('data').removeAllListeners('end');
      if (rest.length > 0) socket.unshift(rest);
      const servername = isIP(target.host) ? '' : target.host;
      const encrypted = connectTls({ socket, servername, ...(secureContext && { secureContext }) });
      listen(encrypted);
      encrypted.once('secureConnect', () => ask(encrypted));
    }

    function ask(to: Socket): void {
      to.write(`GET ${target.path}${query}${target.head}`, 'latin1');
    }

    function readAnswer(chunk: Buffer): void {
      const found = answer.read(chunk);
      if (found) finish(found);
    }

    function finish({ status, body }: Answer): void {
      const text = Buffer.from(body, 'latin1').toString();
      if (text.length > charsMax) throw new AnswerTooLong('it is too long');
      isOver = true;
      clearTimeout(timeUp);
      socket.destroy();
      resolve(status === 200 ? text : undefined);
    }

    listen(socket);
    socket.write(GREETING);
  });
}

/** Length of a SOCKS5 reply (RFC 1928 §6), by its kind of address. */
function replyLengthOf(reply: Buffer): number {
  switch (reply[3]) {
    case KIND.ipv4:
      return 10;
    case KIND.ipv6:
      return 22;
    case KIND.name:
      return 7 + reply[4]!;
    default:
      throw new BadAnswer('an odd answer');
  }
}
