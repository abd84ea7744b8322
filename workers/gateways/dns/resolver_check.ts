import { randomBytes } from 'node:crypto';

import type { Resolve } from './resolver.ts';

/** Time for which a result counts. */
const PASSED_MS = 60_000;
const FAILED_MS = 5_000;

/**
 * Whether our name servers tell the truth about what does not exist: `com` does, and nothing below
 * `invalid` has an address (RFC 2606). A server without internet access says of every name that it
 * does not exist; a server that filters or advertises gives every name an address.
 */
export function openResolverCheck(resolve: Resolve): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let until = 0;

  async function check(): Promise<boolean> {
    const impossible = `${randomBytes(6).toString('hex')}.invalid`;
    const [exists, invented] = await Promise.all([resolve('NS', 'com'), resolve('A', impossible)]);
    const isPassed = Array.isArray(exists) && !Array.isArray(invented);
    until = performance.now() + (isPassed ? PASSED_MS : FAILED_MS);
    return isPassed;
  }

  return () => {
    if (!result || performance.now() > until) {
      until = Infinity; // One check at a time.
      result = check();
    }
    return result;
  };
}
