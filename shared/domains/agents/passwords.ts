import { hash, verify } from '@node-rs/argon2';

import { overloaded } from '../../kernel/refusal.ts';
import type { Holder } from '../../platform/shares/fair_queue.ts';
import { openTurns } from '../../platform/shares/turns.ts';

/** Two passes and one thread, as OWASP advises for Argon2id, this library's default. */
const costOf = (memoryKib: number) => ({ memoryCost: memoryKib, timeCost: 2, parallelism: 1 });
/** Maximum hashes at once: otherwise registrations would take every core and libuv thread. */
const HASHES_MAX = 2;
const WAITING_MAX = 50;

const turns = openTurns({ max: HASHES_MAX, waitingMax: WAITING_MAX, refuse: overloaded });

export interface HashRequest {
  /** The address that asks for it. */
  readonly address: Holder;
  /** Memory of the hash in KiB: the cost of a guess for an attacker. */
  readonly memoryKib: number;
}

/**
 * The Argon2id hash of a password, for the caller at this address. Addresses take turns. When more
 * than 50 calls wait, the newest of the address with most is refused with `queue_overloaded`.
 */
export const hashPassword = (
  password: string,
  { address, memoryKib }: HashRequest,
): Promise<string> => turns.run(address, () => hash(normal(password), costOf(memoryKib)));

/**
 * Whether this is the password of that hash. Without a hash the same work is done for nothing, so
 * that the time does not tell whether there is such an account.
 */
export const isPassword = (
  known: string | undefined,
  password: string,
  { address, memoryKib }: HashRequest,
): Promise<boolean> =>
  turns.run(address, async () => {
    const isRight = await verify(
      known ?? (await (nobody ??= hash(NOBODY, costOf(memoryKib)))),
      normal(password),
    );
    return isRight && known !== undefined;
  });

const NOBODY = 'nobody has this account';
let nobody: Promise<string> | undefined;

/** Normalised, because keyboards compose the same characters differently (NIST SP 800-63B). */
const normal = (password: string) => password.normalize('NFKC');
