import {
  isAddress,
  isHostName,
  kindOf,
  type HostPort,
} from '../../shared/platform/egress/addresses.ts';

/**
 * A target in its one spelling; undefined: no connection may lead there. An address must be public.
 * A name is resolved by the proxy, so of names only those are refused that are internal wherever
 * they are resolved. EGRESS_ALLOW does not count: it is about our own network.
 */
export function allowedTarget(
  { host, port }: HostPort,
  ports: readonly number[],
): HostPort | undefined {
  if (!ports.includes(port)) return undefined;
  const name = host.toLowerCase().replace(/\.$/, '');
  const isAllowed = isAddress(name)
    ? kindOf(name) === 'public'
    : isHostName(name) && name.includes('.') && !INTERNAL.test(name);
  return isAllowed ? { host: name, port } : undefined;
}

/** Reserved for internal networks (RFC 6761, 6762, 8375, ICANN's .internal), or used like that. */
const INTERNAL =
  /\.(localhost|localdomain|local|internal|intranet|private|home\.arpa|home|lan|corp)$/;
