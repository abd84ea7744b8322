import { isAddress, isHostName, kindOf, type HostPort } from '../../shared/platform/addresses.ts';

/**
 * Where a connection may lead, in its one spelling; undefined: not there. An address must be
 * public. A name is the proxy's to resolve, so of names only those are refused that mean an inner
 * place wherever they are resolved. EGRESS_ALLOW does not count: it is about our own network.
 */
export function openTarget(
  { host, port }: HostPort,
  ports: readonly number[],
): HostPort | undefined {
  if (!ports.includes(port)) return undefined;
  const name = host.toLowerCase().replace(/\.$/, '');
  const isOpen = isAddress(name)
    ? kindOf(name) === 'public'
    : isHostName(name) && name.includes('.') && !INNER.test(name);
  return isOpen ? { host: name, port } : undefined;
}

/** Reserved for inner networks (RFC 6761, 6762, 8375, ICANN's .internal), or used as if it were. */
const INNER = /\.(localhost|localdomain|local|internal|intranet|private|home\.arpa|home|lan|corp)$/;
