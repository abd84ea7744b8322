import { isIPv4, isIPv6, type Socket } from 'node:net';

import ipaddr from 'ipaddr.js';

import type { HostPort } from '../../shared/platform/addresses.ts';

/**
 * The messages of SOCKS5 (RFC 1928, and RFC 1929 for the login) on both sides of the door. Each is
 * shorter than 520 bytes, and nothing is read beyond it: what follows stays in the socket, where
 * its own limit holds it back.
 */

/** What a request is answered with (RFC 1928, section 6). */
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

/** What a login is answered with (RFC 1929): whatever is not 0 is a failure, the number is ours. */
export const LOGIN = { succeeded: 0, wrongKey: 1, badName: 2, notNow: 3 } as const;
export type LoginReply = (typeof LOGIN)[keyof typeof LOGIN];

/** The other side does not speak SOCKS5 as we do, or hung up in the middle of it. */
export class NoSocks extends Error {}

const VERSION = 5;
const LOGIN_VERSION = 1;
const WITH_PASSWORD = 2;
const WITHOUT = 0;
const NO_METHOD = 0xff;
const CONNECT = 1;
const KIND = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Of a client: its user name and password, still to be answered. */
export async function readLogin(client: Socket): Promise<{ name: string; password: string }> {
  const [version, count] = await take(client, 2);
  if (version !== VERSION) throw new NoSocks('not SOCKS5');
  const methods = await take(client, count!);
  if (!methods.includes(WITH_PASSWORD)) {
    client.write(Buffer.from([VERSION, NO_METHOD]));
    throw new NoSocks('no login');
  }
  client.write(Buffer.from([VERSION, WITH_PASSWORD]));
  const [loginVersion, nameLength] = await take(client, 2);
  if (loginVersion !== LOGIN_VERSION) throw new NoSocks('no login');
  const name = await take(client, nameLength!);
  const [passwordLength] = await take(client, 1);
  const password = await take(client, passwordLength!);
  return { name: name.toString('latin1'), password: password.toString('latin1') };
}

export function answerLogin(client: Socket, status: LoginReply): void {
  client.write(Buffer.from([LOGIN_VERSION, status]));
}

/** Of a client: where it wants to be connected to, or what its request is refused with. */
export async function readRequest(client: Socket): Promise<HostPort | Reply> {
  const [version, command, , kind] = await take(client, 4);
  if (version !== VERSION) throw new NoSocks('not SOCKS5');
  const host = await takeHost(client, kind!);
  if (host === undefined) return REPLY.addressType;
  const port = (await take(client, 2)).readUInt16BE();
  return command === CONNECT ? { host, port } : REPLY.command;
}

export function answerRequest(client: Socket, reply: Reply): void {
  client.write(Buffer.from([VERSION, reply, 0, KIND.ipv4, 0, 0, 0, 0, 0, 0]));
}

/** To a proxy: that we come without a password. Throws unless it agrees. */
export async function greetProxy(proxy: Socket): Promise<void> {
  proxy.write(Buffer.from([VERSION, 1, WITHOUT]));
  const [version, method] = await take(proxy, 2);
  if (version !== VERSION || method !== WITHOUT) throw new NoSocks('no SOCKS5 for strangers');
}

/**
 * Asks a proxy to connect to a target, whose name it is to resolve itself. What it answers; after
 * REPLY.succeeded the next byte is the target's.
 */
export async function askProxy(proxy: Socket, target: HostPort): Promise<number> {
  proxy.write(requestOf(target));
  const [, reply, , kind] = await take(proxy, 4);
  if (reply !== REPLY.succeeded) return reply!;
  if ((await takeHost(proxy, kind!)) === undefined) throw new NoSocks('an odd answer');
  await take(proxy, 2);
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

/** Undefined: a kind of address that nobody knows. */
async function takeHost(socket: Socket, kind: number): Promise<string | undefined> {
  switch (kind) {
    case KIND.ipv4:
      return (await take(socket, 4)).join('.');
    case KIND.ipv6:
      return ipaddr.fromByteArray([...(await take(socket, 16))]).toString();
    case KIND.name: {
      const [length] = await take(socket, 1);
      return (await take(socket, length!)).toString('latin1');
    }
    default:
      return undefined;
  }
}

/** The next bytes, exactly so many. Whoever loses patience destroys the socket. */
function take(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const look = () => {
      const taken = socket.read(bytes) as Buffer | null;
      if (taken?.length === bytes) leave(() => resolve(taken));
      else if (taken) cut(); // The last that came, and too little.
    };
    const cut = () => leave(() => reject(new NoSocks('hung up')));
    function leave(settle: () => void): void {
      socket.off('readable', look).off('end', cut).off('close', cut);
      settle();
    }
    if (socket.readableEnded || socket.destroyed) return reject(new NoSocks('hung up'));
    socket.on('readable', look).on('end', cut).on('close', cut);
    return look();
  });
}
