import { hash } from '@node-rs/argon2';

import { batcher } from '../jobs/batcher.ts';

/** OWASP's smallest setting for Argon2id, its default algorithm: 19 MiB, 2 passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The Argon2id hash of a password. Two at once, or registrations would take every core and libuv
 * thread; 50 may wait. Beyond that it refuses with `queue_overloaded`.
 */
export const hashPassword = batcher(
  async ([password]: string[]) => [await hash(normal(password!), COST)],
  { size: 1, maxInFlight: 2, maxPending: 50 },
);

/** One password, however a keyboard composes its characters (NIST SP 800-63B). */
const normal = (password: string) => password.normalize('NFKC');
