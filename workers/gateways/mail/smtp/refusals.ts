import { createHash } from 'node:crypto';

import type { Store } from '../../../../shared/platform/redis.ts';
import { boundedMap } from '../bounded_map.ts';

const DAY_MS = 86_400_000;
const CHECK_PAUSE_MS = 60_000;
const MACHINES_MAX = 10_000;

/**
 * Mailboxes that a machine has refused in a row, for all workers: after so many, the next refusal
 * is checked by asking for postmaster. Without Redis nothing is checked, and nobody is doubted.
 */
interface Refusals {
  /** Whether the machine has refused as many mailboxes in a row as need a check. */
  areMany(machine: string): Promise<boolean>;
  note(machine: string, mailbox: string): Promise<void>;
  /** It refused postmaster too: for a minute it is not asked again by this process. */
  noteCheck(machine: string): void;
  /** The machine accepted a mailbox, or told two apart. */
  end(machine: string): Promise<void>;
}

/** `max`: refusals in a row, of which the last one is checked. */
export function openRefusals({ redis, prefix }: Store, max: number): Refusals {
  const keyOf = (machine: string) => `${prefix}:mail:refused:${machine}`;
  const checked = boundedMap<number>(MACHINES_MAX);
  return {
    async areMany(machine) {
      if ((checked.get(machine) ?? 0) > performance.now()) return false;
      return (await redis.scard(keyOf(machine))) >= max - 1;
    },
    async note(machine, mailbox) {
      const hash = createHash('sha256').update(mailbox).digest('base64url').slice(0, 22);
      const key = keyOf(machine);
      if ((await redis.scard(key)) < max) await redis.sadd(key, hash);
      await redis.pexpire(key, DAY_MS);
    },
    noteCheck(machine) {
      checked.set(machine, performance.now() + CHECK_PAUSE_MS);
    },
    async end(machine) {
      await redis.del(keyOf(machine));
    },
  };
}
