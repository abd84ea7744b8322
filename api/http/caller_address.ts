import type { IncomingMessage } from 'node:http';

import { isAddress } from '../../shared/platform/egress/addresses.ts';

/**
 * The address that a request came from. Each router in front of us appends the address that it
 * sees to X-Forwarded-For; the rest of the header may be written by anybody.
 */
export function callerAddress(req: IncomingMessage, trustedHops: number): string {
  const seen = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (trustedHops === 0) return seen;
  const forwarded = [req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  const address = forwarded.at(-trustedHops)?.trim() ?? '';
  return isAddress(address) ? address : seen;
}
