import type { SocksSettings } from '../../shared/proxies/settings.ts';
import { throttled } from '../../shared/platform/log.ts';
import { stillGood, type Owner } from '../../shared/proxies/sale/key_owners.ts';
import { openLeases } from '../../shared/platform/leases.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Limits } from './limits.ts';

/** A connection whose client is known. */
export interface Guest {
  readonly id: string;
  readonly owner: Owner;
  /** Ends it; the reason is for the log. */
  readonly ended: AbortController;
}

/** Everybody inside: how many there may be, and who may stay. */
export interface Crowd {
  /** False: there are as many as there may be, of this agent or in all. */
  enter(guest: Guest): Promise<boolean>;
  leave(guest: Guest): void;
  /** Asks everybody to go. */
  endAll(reason: string): void;
  stop(): void;
}

/** A key that was replaced and an agent that was suspended are out within a second. */
const LOOK_EVERY_MS = 500;

export function openCrowd(
  context: Context,
  { connections, connectionsPerAgent }: SocksSettings,
  { blindMs }: Limits,
): Crowd {
  const warn = throttled(context.log);
  const leases = openLeases(context.queue, 'socks', connectionsPerAgent);
  const inside = new Map<string, Guest>();
  let heardAt = performance.now();
  let looking = false;

  async function look(): Promise<void> {
    const guests = [...inside.values()];
    const askedAt = performance.now();
    if (guests.length > 0) {
      const good = await stillGood(
        context.database,
        guests.map(({ owner }) => owner.hash),
      );
      for (const { owner, ended } of guests) {
        if (!good.has(owner.hash.toString('hex'))) ended.abort('no_longer_allowed');
      }
    }
    heardAt = askedAt;
  }

  function endAll(reason: string): void {
    for (const { ended } of inside.values()) ended.abort(reason);
  }

  const timer = setInterval(() => {
    if (performance.now() - heardAt > blindMs) endAll('database_away');
    if (looking) return; // A slow database is not helped by more questions.
    looking = true;
    look()
      .catch((error: unknown) => warn('replaced keys could not be looked up', error))
      .finally(() => (looking = false));
  }, LOOK_EVERY_MS);

  return {
    async enter(guest) {
      const { agentId } = guest.owner.caller;
      const own = [...inside.values()].filter(({ owner }) => owner.caller.agentId === agentId);
      if (inside.size >= connections || own.length >= connectionsPerAgent) return false;
      inside.set(guest.id, guest);
      // Without Redis each process counts alone.
      const hasSeat = await leases.acquire(agentId, guest.id).catch(() => true);
      if (!hasSeat) inside.delete(guest.id);
      return hasSeat;
    },
    leave({ id, owner }) {
      if (inside.delete(id)) leases.release(owner.caller.agentId, id);
    },
    endAll,
    stop: () => clearInterval(timer),
  };
}
