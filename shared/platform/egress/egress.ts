import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import {
  isAddress,
  isHostName,
  isOpen,
  isOpenInDns,
  type Exception,
  type HostPort,
} from './addresses.ts';
import { dialOf } from './dial.ts';
import {
  answerTo,
  isReset,
  readAnswer,
  redirectOf,
  requestOf,
  type EgressRequest,
  type EgressResponse,
} from './http_exchange.ts';
import { KeptConnections } from './kept_connections.ts';
import type { EgressProxy } from '../config/egress_proxy.ts';
import { parseUrl } from '../parse_url.ts';

/**
 * The only way to connect to hosts named by others: proxies, sources, webhooks, mail servers. A
 * name is resolved once, those of its addresses that are not public (or allowed by EGRESS_ALLOW)
 * are left out, and connections are made only to the others. The same holds for each redirect.
 */
export interface Egress {
  /** The checked addresses of a host, IPv4 first. Connect to no other. */
  addressesOf(target: HostPort): Promise<string[]>;
  /** A TCP connection to a checked address of the host. Destroy it, or it stays open. */
  connect(target: HostPort, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Socket>;
  /** One HTTP exchange, with its redirects. The body is held in memory. */
  request(url: string, options: EgressRequest): Promise<EgressResponse>;
}

/** The target is not public. The message names the target, never the addresses of its name. */
export class BlockedTarget extends Error {
  /** For the log: the address that the name resolves to, or the fault of the target. */
  readonly found: string;

  constructor(target: string, found: string) {
    super(`${target} does not lead to a public address`);
    this.found = found;
  }
}

export function openEgress({ egressAllow, egressProxy, dnsServers }: Settings): Egress {
  // Not getaddrinfo: it reads 127.1 and 0x7f000001 as addresses, and has four threads.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const kept = new KeptConnections(open);
  const dial = dialOf(egressProxy);

  async function addressesOf({ host, port }: HostPort): Promise<string[]> {
    if (isAddress(host)) {
      if (!isOpen({ host, port }, egressAllow)) throw new BlockedTarget(host, host);
      return [host];
    }
    if (!isHostName(host)) throw new BlockedTarget(host, 'no host');
    const found = await resolved(host);
    const open = found.filter((address) => isOpenInDns({ host: address, port }, egressAllow));
    if (open.length === 0) throw new BlockedTarget(host, found[0]!);
    return open;
  }

  async function resolved(name: string): Promise<string[]> {
    const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = families.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const [ipv4] = families as PromiseRejectedResult[];
    throw new Error(`${name} has no address`, { cause: ipv4!.reason });
  }

  async function connect(
    target: HostPort,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Socket> {
    const timeUp = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
    let fault: unknown;
    for (const address of await within(ended, addressesOf(target))) {
      try {
        return await dial({ host: address, port: target.port }, ended);
      } catch (error) {
        fault = error;
        if (ended.aborted) break;
      }
    }
    throw fault;
  }

  async function request(url: string, options: EgressRequest): Promise<EgressResponse> {
    const ended = AbortSignal.timeout(options.timeoutMs);
    let at = webAddressOf(url);
    let { headers = {} } = options;
    for (let left = options.method === 'POST' ? 0 : (options.redirectsMax ?? 0); ; left -= 1) {
      const response = await exchange(at, { ...options, headers }, ended);
      // A body without a declared length looks complete if the connection is ended here.
      ended.throwIfAborted();
      const next = redirectOf(response.status, response.headers);
      if (!next || left <= 0) return response;
      const to = webAddressOf(next, at);
      if (at.protocol === 'https:' && to.protocol === 'http:') {
        throw new Error(`${at.host} redirects to an address without TLS`);
      }
      if (to.origin !== at.origin) headers = {};
      at = to;
    }
  }

  /** A connection for requests to the origin of a URL. */
  async function open(
    url: URL,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Socket> {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port) || (secure ? 443 : 80);
    const plain = await connect({ host, port }, options);
    if (!secure) return plain;
    // Without `host`, the certificate of an address would have to be for "localhost".
    const servername = isAddress(host) ? {} : { servername: host };
    const socket = connectTls({ socket: plain, host, ...servername });
    return socket.on('error', () => undefined).once('close', () => plain.destroy());
  }

  async function exchange(
    url: URL,
    options: EgressRequest,
    signal: AbortSignal,
  ): Promise<EgressResponse> {
    if (options.keptFor === undefined) return exchangeOnce(url, options, signal);
    const sent = requestOf(url, options, signal, {
      agent: kept,
      // Options for a new connection.
      target: { url, keptFor: options.keptFor, timeoutMs: options.timeoutMs, signal },
    });
    sent.end(options.body);
    const answer = await answerTo(sent).catch((error: unknown) => {
      if (sent.reusedSocket && isReset(error)) return undefined;
      throw error;
    });
    return answer ? readAnswer(answer, url, options) : exchangeOnce(url, options, signal);
  }

  async function exchangeOnce(
    url: URL,
    options: EgressRequest,
    signal: AbortSignal,
  ): Promise<EgressResponse> {
    const socket = await open(url, { timeoutMs: options.timeoutMs, signal });
    try {
      const sent = requestOf(url, options, signal, { createConnection: () => socket });
      sent.end(options.body);
      return await readAnswer(await answerTo(sent), url, options);
    } finally {
      socket.destroy();
    }
  }

  return { addressesOf, connect, request };
}

interface Settings {
  readonly egressAllow: readonly Exception[];
  /** SOCKS5 proxy that makes the connections; undefined: they are made directly. */
  readonly egressProxy?: EgressProxy | undefined;
  /** `address:port` of name servers; empty: the system's. */
  readonly dnsServers: readonly string[];
}

function webAddressOf(text: string, base?: URL): URL {
  const url = parseUrl(text, base);
  if (!url) throw new BlockedTarget(text.slice(0, 200), 'no URL');
  const isPlain = ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password;
  if (!isPlain) throw new BlockedTarget(url.host || text.slice(0, 200), 'no plain web address');
  return url;
}

/** Ends the wait for `work` with the signal: a lookup has its own, longer timeouts. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = once(signal, 'abort').then(() => {
    throw signal.reason;
  });
  ended.catch(() => undefined);
  return Promise.race([work, ended]);
}
