import type { IncomingMessage } from 'node:http';

import { isAddress } from '../../shared/platform/egress/addresses.ts';

/**
 * The address that a request came from. Each router in front adds the address that it sees to the
 * end of X-Forwarded-For; anybody may have written the rest.
 */
export function callerAddress(req: IncomingMessage, trustedHops: number): string {
  const seen = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (trustedHops === 0) return seen;
  const forwarded = [req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  const address = forwarded.at(-trustedHops)?.trim() ?? '';
  return isAddress(address) ? address : seen;
}
