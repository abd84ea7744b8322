import { isIPv4, isIPv6, type Socket } from 'node:net';

import ipaddr from 'ipaddr.js';

import type { HostPort } from '../../shared/platform/egress/addresses.ts';

/**
 * The messages of SOCKS5 (RFC 1928, and RFC 1929 for the login), with clients and with proxies.
 * Each is shorter than 520 bytes, and nothing is read beyond it: what follows stays in the socket,
 * whose own limit bounds it.
 */

/** The reply to a request (RFC 1928, section 6). */
export const REPLY = {
  succeeded: 0,
  failure: 1,
  notAllowed: 2,
  networkUnreachable: 3,
  hostUnreachable: 4,
  refused: 5,
  timeUp: 6, // "TTL expired"
  command: 7,
  addressType: 8,
} as const;
export type Reply = (typeof REPLY)[keyof typeof REPLY];

/** The status of a login (RFC 1929): all but 0 are failures, and their numbers are ours. */
export const LOGIN = { succeeded: 0, wrongKey: 1, badName: 2, notNow: 3 } as const;
type LoginReply = (typeof LOGIN)[keyof typeof LOGIN];

/** The other side does not speak SOCKS5 as we do, or disconnected in the middle of it. */
export class ProtocolError extends Error {}

const VERSION = 5;
const LOGIN_VERSION = 1;
/** Methods of login (RFC 1928, section 3). */
export const METHOD = { none: 0, password: 2, unacceptable: 0xff } as const;
type Method = (typeof METHOD)[keyof typeof METHOD];
const CONNECT = 1;
const KIND = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Reads a client's greeting: the methods of login that it offers. */
export async function readGreeting(client: Socket): Promise<Buffer> {
  const [version, count] = await readBytes(client, 2);
  if (version !== VERSION) throw new ProtocolError('not SOCKS5');
  return readBytes(client, count!);
}

export function answerGreeting(client: Socket, method: Method): void {
  client.write(Buffer.from([VERSION, method]));
}

/** Reads a client's user name and password, after a greeting; answerLogin answers them. */
export async function readLogin(client: Socket): Promise<{ name: string; password: string }> {
  const [loginVersion, nameLength] = await readBytes(client, 2);
  if (loginVersion !== LOGIN_VERSION) throw new ProtocolError('no login');
  const name = await readBytes(client, nameLength!);
  const [passwordLength] = await readBytes(client, 1);
  const password = await readBytes(client, passwordLength!);
  return { name: name.toString('utf8'), password: password.toString('latin1') };
}

/** Reads the greeting of a client that needs no login. Throws unless the client offers that. */
export async function greetClient(client: Socket): Promise<void> {
  const isOffered = (await readGreeting(client)).includes(METHOD.none);
  answerGreeting(client, isOffered ? METHOD.none : METHOD.unacceptable);
  if (!isOffered) throw new ProtocolError('another way to log in');
}

export function answerLogin(client: Socket, status: LoginReply): void {
  client.write(Buffer.from([LOGIN_VERSION, status]));
}

/** Reads a client's request: the target, or the reply that refuses the request. */
export async function readRequest(client: Socket): Promise<HostPort | Reply> {
  const [version, command, , kind] = await readBytes(client, 4);
  if (version !== VERSION) throw new ProtocolError('not SOCKS5');
  const host = await readHost(client, kind!);
  if (host === undefined) return REPLY.addressType;
  const port = (await readBytes(client, 2)).readUInt16BE();
  return command === CONNECT ? { host, port } : REPLY.command;
}

export function answerRequest(client: Socket, reply: Reply): void {
  client.write(Buffer.from([VERSION, reply, 0, KIND.ipv4, 0, 0, 0, 0, 0, 0]));
}

/** Offers a proxy to connect without a password. Throws unless it agrees. */
export async function greetProxy(proxy: Socket): Promise<void> {
  proxy.write(Buffer.from([VERSION, 1, METHOD.none]));
  const [version, method] = await readBytes(proxy, 2);
  if (version !== VERSION || method !== METHOD.none)
    throw new ProtocolError('the proxy asks for a login');
}

/**
 * Asks a proxy to connect to a target, whose name the proxy resolves. Returns its reply; after
 * REPLY.succeeded the next byte is the target's.
 */
export async function requestTarget(proxy: Socket, target: HostPort): Promise<number> {
  proxy.write(requestOf(target));
  const [, reply, , kind] = await readBytes(proxy, 4);
  if (reply !== REPLY.succeeded) return reply!;
  if ((await readHost(proxy, kind!)) === undefined) throw new ProtocolError('an odd answer');
  await readBytes(proxy, 2);
  return reply;
}

function requestOf({ host, port }: HostPort): Buffer {
  const isName = !isIPv4(host) && !isIPv6(host);
  const bytes = isName
    ? Buffer.from(host, 'latin1')
    : Buffer.from(ipaddr.parse(host).toByteArray());
  const kind = isName ? [KIND.name, bytes.length] : [isIPv4(host) ? KIND.ipv4 : KIND.ipv6];
  const request = Buffer.concat([
    Buffer.from([VERSION, CONNECT, 0, ...kind]),
    bytes,
    Buffer.alloc(2),
  ]);
  request.writeUInt16BE(port, request.length - 2);
  return request;
}

/** Reads a host; undefined: SOCKS5 has no such kind of address. */
async function readHost(socket: Socket, kind: number): Promise<string | undefined> {
  switch (kind) {
    case KIND.ipv4:
      return (await readBytes(socket, 4)).join('.');
    case KIND.ipv6:
      return ipaddr.fromByteArray([...(await readBytes(socket, 16))]).toString();
    case KIND.name: {
      const [length] = await readBytes(socket, 1);
      return (await readBytes(socket, length!)).toString('latin1');
    }
    default:
      return undefined;
  }
}

/** Reads exactly this many bytes. A caller that stops waiting destroys the socket. */
function readBytes(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const read = () => {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.length === bytes) settle(() => resolve(chunk));
      else if (chunk) fail(); // The stream ended with too few bytes.
    };
    const fail = () => settle(() => reject(new ProtocolError('disconnected')));
    function settle(answer: () => void): void {
      socket.off('readable', read).off('end', fail).off('close', fail);
      answer();
    }
    if (socket.readableEnded || socket.destroyed) {
      return reject(new ProtocolError('disconnected'));
    }
    socket.on('readable', read).on('end', fail).on('close', fail);
    return read();
  });
}
