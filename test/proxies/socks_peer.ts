import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * The side of a SOCKS5 proxy (RFC 1928), for clients that connect to an address or a name. Written
 * apart from api/socks/messages.ts, which it is to test.
 */
interface SocksRequest {
  readonly host: string;
  readonly isName: boolean;
  readonly port: number;
  answer(reply: number): void;
}

const [NO_LOGIN, LOGIN, NO_METHOD] = [0, 2, 0xff];
const [NAME, IPV6] = [3, 4];

/**
 * Reads a client's request. Undefined: it disconnected, offers no such method, or does not have
 * this `user:password` (RFC 1929).
 */
export async function readSocksRequest(
  socket: Socket,
  { login }: { login?: string | undefined } = {},
): Promise<SocksRequest | undefined> {
  const [, methods] = await read(socket, 2);
  const offered = await read(socket, methods!);
  const method = login === undefined ? NO_LOGIN : LOGIN;
  if (!offered.includes(method)) {
    socket.resume().end(Buffer.from([5, NO_METHOD])); // Unread, it would never close.
    return undefined;
  }
  socket.write(Buffer.from([5, method]));
  if (login !== undefined && (await readLogin(socket)) !== login) {
    socket.resume().end(Buffer.from([1, 1]));
    return undefined;
  }
  if (login !== undefined) socket.write(Buffer.from([1, 0]));
  const [, , , kind] = await read(socket, 4);
  const isName = kind === NAME;
  const host = isName
    ? String(await read(socket, (await read(socket, 1))[0]!))
    : kind === IPV6
      ? ipv6Of(await read(socket, 16))
      : (await read(socket, 4)).join('.');
  const port = (await read(socket, 2)).readUInt16BE();
  const answer = (reply: number) =>
    void socket.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
  return { host, isName, port, answer };
}

const ipv6Of = (bytes: Buffer): string =>
  new URL(`http://[${bytes.toString('hex').match(/.{4}/g)!.join(':')}]`).hostname.slice(1, -1);

async function readLogin(socket: Socket): Promise<string> {
  const user = await read(socket, (await read(socket, 2))[1]!);
  const password = await read(socket, (await read(socket, 1))[0]!);
  return `${String(user)}:${String(password)}`;
}

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk?.length === bytes) return chunk;
    await once(socket, 'readable');
  }
}
