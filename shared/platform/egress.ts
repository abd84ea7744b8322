import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { isAddress, isHostName, isOpen, type Exception, type HostPort } from './addresses.ts';

/**
 * The one way out for whatever somebody else may name: proxies, sources, webhooks, mail servers. A
 * name is resolved once, every address it has must be public (or excepted by EGRESS_ALLOW), and
 * only an address that was checked is connected to; each redirect goes through the same again.
 */
export interface Egress {
  /** The checked addresses of a host, IPv4 first. Connect to nothing else. */
  addressesOf(place: HostPort): Promise<string[]>;
  /** A TCP connection to a checked address of the host. Destroy it, or it stays. */
  connect(place: HostPort, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Socket>;
  /** One HTTP exchange with whatever redirects it takes. The body is held in memory. */
  request(url: string, options: Asking): Promise<Reply>;
}

export interface Asking {
  readonly method?: 'GET' | 'POST';
  /** Sent to the first host only. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For everything: names, connections, redirects, the last byte. */
  readonly timeoutMs: number;
  /** A longer answer is a fault. */
  readonly bytesMax: number;
  /** Of a GET; a POST follows none. */
  readonly redirectsMax?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Where the answer came from in the end. */
  readonly url: string;
}

/** We do not go there. The message names what was asked for and never what a name resolves to. */
export class Blocked extends Error {
  /** For the log: what was found behind the name. */
  readonly found: string;

  constructor(asked: string, found: string) {
    super(`${asked} does not lead to a public address`);
    this.found = found;
  }
}

export function openEgress({ egressAllow, dnsServers }: Settings): Egress {
  // Not getaddrinfo: it reads 127.1 and 0x7f000001 as addresses, and has four threads.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);

  async function addressesOf({ host, port }: HostPort): Promise<string[]> {
    if (!isAddress(host) && !isHostName(host)) throw new Blocked(host, 'no host');
    const found = isAddress(host) ? [host] : await resolved(host);
    const closed = found.find((address) => !isOpen({ host: address, port }, egressAllow));
    if (closed !== undefined) throw new Blocked(host, closed);
    return found;
  }

  async function resolved(name: string): Promise<string[]> {
    const both = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = both.flatMap((half) => (half.status === 'fulfilled' ? half.value : []));
    if (found.length > 0) return found;
    const [half] = both as PromiseRejectedResult[];
    throw new Error(`${name} has no address`, { cause: half!.reason });
  }

  async function connect(
    place: HostPort,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Socket> {
    const timeUp = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
    let fault: unknown;
    for (const address of await within(ended, addressesOf(place))) {
      const socket = connectTcp({ host: address, port: place.port, noDelay: true });
      socket.on('error', () => undefined); // Or one that comes before its owner listens is fatal.
      try {
        await once(socket, 'connect', { signal: ended });
        return socket;
      } catch (error) {
        socket.destroy();
        fault = error;
        if (ended.aborted) break;
      }
    }
    throw fault;
  }

  async function request(url: string, asking: Asking): Promise<Reply> {
    const ended = AbortSignal.timeout(asking.timeoutMs);
    let at = webAddressOf(url);
    let { headers = {} } = asking;
    for (let left = asking.method === 'POST' ? 0 : (asking.redirectsMax ?? 0); ; left -= 1) {
      const reply = await exchange(at, { ...asking, headers }, ended);
      const next = REDIRECTS.has(reply.status) && reply.headers.location;
      if (!next || left <= 0) return reply;
      const to = webAddressOf(next, at);
      if (at.protocol === 'https:' && to.protocol === 'http:') {
        throw new Error(`${at.host} redirects to an address without TLS`);
      }
      if (to.origin !== at.origin) headers = {};
      at = to;
    }
  }

  async function exchange(url: URL, asking: Asking, signal: AbortSignal): Promise<Reply> {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port) || (secure ? 443 : 80);
    const plain = await connect({ host, port }, { timeoutMs: asking.timeoutMs, signal });
    const socket = secure
      ? connectTls({ socket: plain, ...(!isAddress(host) && { servername: host }) })
      : plain;
    try {
      const sent = httpRequest({
        createConnection: () => socket,
        method: asking.method ?? 'GET',
        path: url.pathname + url.search,
        // Nothing is unpacked: a small body could become a large one.
        headers: {
          ...asking.headers,
          host: url.host,
          'accept-encoding': 'identity',
          connection: 'close',
        },
        signal,
      });
      sent.end(asking.body);
      const [answer] = await once(sent, 'response');
      const body = await bodyOf(answer, asking.bytesMax);
      return { status: answer.statusCode, headers: answer.headers, body, url: url.href };
    } finally {
      socket.on('error', () => undefined).destroy();
      plain.destroy();
    }
  }

  return { addressesOf, connect, request };
}

interface Settings {
  readonly egressAllow: readonly Exception[];
  /** `address:port` of name servers; none: the system's. */
  readonly dnsServers: readonly string[];
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function webAddressOf(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new Blocked(text.slice(0, 200), 'no URL');
  const url = new URL(text, base?.href);
  const odd = !['http:', 'https:'].includes(url.protocol) || url.username || url.password;
  if (odd) throw new Blocked(url.host || text.slice(0, 200), 'no plain web address');
  return url;
}

async function bodyOf(answer: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new Error(`the answer is longer than ${bytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A look-up has time limits of its own, which may be longer. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = once(signal, 'abort').then(() => {
    throw signal.reason;
  });
  ended.catch(() => undefined);
  return Promise.race([work, ended]);
}
