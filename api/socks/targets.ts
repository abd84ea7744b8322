import {
  isAddress,
  isHostName,
  kindOf,
  type HostPort,
} from '../../shared/platform/egress/addresses.ts';

/**
 * A target in its one spelling; undefined: connections there are not allowed. An address must be
 * public. The proxy resolves names, so only names that are internal everywhere are refused.
 * EGRESS_ALLOW does not count here: it is about our own network.
 */
export function allowedTarget({ host, port }: HostPort): HostPort | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const isAllowed = isAddress(name)
    ? kindOf(name) === 'public'
    : isHostName(name) && name.includes('.') && !INTERNAL.test(name);
  return isAllowed ? { host: name, port } : undefined;
}

/** Domains of internal networks (RFC 6761, 6762, 8375, ICANN's .internal, and common ones). */
const INTERNAL =
  /\.(localhost|localdomain|local|internal|intranet|private|home\.arpa|home|lan|corp)$/;
