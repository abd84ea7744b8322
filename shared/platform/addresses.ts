import ipaddr from 'ipaddr.js';
import { isIPv4, isIPv6 } from 'node:net';

/** Where a connection goes: an address or a host name, without brackets, and a port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** What may be connected to although it is not public: a range of addresses, or one port of one. */
export type Exception = { readonly range: Range } | HostPort;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * The kind of an address: `public`, or why nobody outside may lead us there. IPv6 is public only
 * where IANA assigns global addresses (2000::/3), so whatever wraps an IPv4 address or has no
 * meaning yet is not. Undefined: no address, however other programs might read it.
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
  // ISATAP (RFC 5214): the last half names an IPv4 address, and a gateway would go there.
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe) return 'isatap';
  return 'public';
}

/** Clouds answer with credentials here; this one (Azure) stands in the middle of public space. */
const METADATA = new Set(['168.63.129.16']);

/** An address as PostgreSQL and the RFCs write it. Octal, hexadecimal and short forms are none. */
export const isAddress = (text: string): boolean =>
  isIPv4(text) || (isIPv6(text) && !text.includes('%'));

/** A host name, whose last label starts with a letter: no program reads it as an address. */
export const isHostName = (text: string): boolean => text.length <= 253 && HOST_NAME.test(text);
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(${LABEL}\\.)*(?=[a-z])${LABEL}$`, 'i');

/** `1.2.3.4:1080`, `[2001:db8::1]:1080` or `host.example:1080`; undefined: anything else. */
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

/** The one spelling of a host and its port. */
export const spelled = ({ host, port }: HostPort): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;

/** Reads `10.0.0.0/8` or `127.0.0.1:1080`; throws what is wrong with anything else. */
export function exceptionOf(text: string): Exception {
  if (/^[\da-f.:]+\/\d{1,3}$/i.test(text) && isAddress(text.split('/')[0]!)) {
    if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text) };
  } else {
    const place = hostPortOf(text);
    if (place && isAddress(place.host)) return place;
  }
  throw new Error(`names ${text}, which is neither a range (10.0.0.0/8) nor address:port`);
}

/** Whether an address may be connected to, at this port. */
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
