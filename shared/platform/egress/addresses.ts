import ipaddr from 'ipaddr.js';
import { isIPv4, isIPv6 } from 'node:net';

/** The target of a connection: an address or a host name, without brackets, and a port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** An allowed target that is not public: a range, or one port of one address. */
export type Exception = { readonly range: Range } | HostPort;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * The kind of an address: `public`, or the reason it is not. IPv6 is public only where IANA assigns
 * global addresses (2000::/3): an address that wraps an IPv4 address, or has no meaning yet, is not
 * public. Undefined: the text is no address, even if other programs read it as one.
 */
export function kindOf(address: string): string | undefined {
  if (!isAddress(address)) return undefined;
  if (METADATA.has(address)) return 'metadata';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed.kind() === 'ipv4') return 'public';
  const { parts } = parsed as ipaddr.IPv6;
  if (parts[0]! >> 13 !== 1) return 'unassigned';
  // ISATAP (RFC 5214): the second half holds an IPv4 address, to which a gateway would connect.
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe) return 'isatap';
  return 'public';
}

/** Metadata services of clouds, which serve credentials; Azure's is inside the public range. */
const METADATA = new Set(['168.63.129.16']);

/** Whether the text is an address as PostgreSQL and the RFCs write it: not octal, hex or short. */
export const isAddress = (text: string): boolean =>
  isIPv4(text) || (isIPv6(text) && !text.includes('%'));

/** The one spelling of an address. */
export const canonicalOf = (address: string): string => ipaddr.parse(address).toString();

/** The IPv4 address that an IPv6 one stands for (RFC 4291 §2.5.5.2); any other text unchanged. */
export function unmapped(text: string): string {
  if (!isIPv6(text) || !isAddress(text)) return text;
  const parsed = ipaddr.parse(text) as ipaddr.IPv6;
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : text;
}

/**
 * The block that an address counts as, for limits: IPv6 by its first 64 bits, because every
 * customer of a provider has at least a /64.
 */
export function blockOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const start = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${start.join(':')}::/64`;
}

/**
 * Whether the text is a name of a host in DNS, where `_` is usual (`_dc-mx.example.com`). Its last
 * label must begin with a letter, unlike an address.
 */
export const isHostName = (text: string): boolean => text.length <= 253 && HOST_NAME.test(text);
const LABEL = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST_NAME = new RegExp(`^(${LABEL}\\.)*(?=[a-z])${LABEL}$`, 'i');

/** Whether a host of a URL, or of a Host header without its port, is this machine and no other. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** Parses `1.2.3.4:1080`, `[2001:db8::1]:1080` or `host.example:1080`. Undefined: invalid. */
export function hostPortOf(text: string): HostPort | undefined {
  const [, inBrackets, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):([1-9]\d{0,4})$/.exec(text) ?? [];
  const port = Number(digits);
  if (!digits || port > 65_535) return undefined;
  if (inBrackets !== undefined) {
    if (!isIPv6(inBrackets) || !isAddress(inBrackets)) return undefined;
    return { host: ipaddr.parse(inBrackets).toString(), port };
  }
  return isIPv4(plain!) || isHostName(plain!) ? { host: plain!.toLowerCase(), port } : undefined;
}

/** The canonical text of a host and its port. */
export const spelled = ({ host, port }: HostPort): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;

/** Parses `10.0.0.0/8` or `127.0.0.1:1080`; throws for any other text. */
export function exceptionOf(text: string): Exception {
  if (/^[\da-f.:]+\/\d{1,3}$/i.test(text) && isAddress(text.split('/')[0]!)) {
    if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text) };
  } else {
    const target = hostPortOf(text);
    if (target && isAddress(target.host)) return target;
  }
  throw new Error(`names ${text}, which is neither a range (10.0.0.0/8) nor address:port`);
}

/** Whether connections to this address and port are allowed. */
export function isOpen({ host, port }: HostPort, exceptions: readonly Exception[]): boolean {
  const kind = kindOf(host);
  if (kind === undefined) return false;
  if (kind === 'public') return true;
  const address = ipaddr.parse(host);
  return exceptions.some((exception) =>
    'range' in exception
      ? exception.range[0].kind() === address.kind() && address.match(exception.range)
      : exception.port === port && exception.host === address.toString(),
  );
}

/**
 * The same of an address that a name server gave. In networks without IPv4 it makes one of an IPv4
 * address (DNS64, RFC 6147), which then counts; written by a caller, such an address is closed.
 */
export function isOpenInDns(target: HostPort, exceptions: readonly Exception[]): boolean {
  if (isOpen(target, exceptions)) return true;
  if (!isIPv6(target.host) || !isAddress(target.host)) return false;
  const address = ipaddr.parse(target.host) as ipaddr.IPv6;
  const inside = ipaddr.fromByteArray(address.toByteArray().slice(12)).toString();
  return address.match(DNS64) && kindOf(inside) === 'public';
}

/** The prefix for DNS64 (RFC 6052 §2.1), which is never used for addresses that are not public. */
const DNS64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];
