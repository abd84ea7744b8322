import type { Socket } from 'node:net';

import { blockOf } from '../../../shared/platform/egress/addresses.ts';
import { openShares } from '../../../shared/platform/shares/shares.ts';

/**
 * The clients that hold no place among the open connections yet: most of them have not logged in.
 * An address (IPv6: a /64) may have as many as are free, so there is one left for another address.
 */
export interface UnauthenticatedClients {
  /**
   * False: there is no place for it. It takes that of the oldest of its address, or where its
   * address has none and nothing is free of the oldest of all, that has not greeted in `greetMs`.
   */
  admit(client: Socket): boolean;
  /** It has greeted: no other takes its place. */
  noteGreeting(client: Socket): void;
  /** It has ended, or has a place among the open connections. */
  release(client: Socket): void;
  closeAll(): void;
}

interface Place {
  readonly holder: Holder;
  readonly since: number;
}

/** An address that has places. */
interface Holder {
  readonly address: string;
  places: number;
  /** Those that have not greeted, the oldest first. */
  readonly silent: Set<Socket>;
}

/** What a client's address counts as. Of one that has disconnected it is empty. */
export const addressOf = (client: Socket): string => blockOf(client.remoteAddress ?? '');

/** An address may have half of the places alone. */
const PER_FREE = 1;

export function openUnauthenticatedClients({
  unauthenticatedMax,
  greetMs,
}: {
  unauthenticatedMax: number;
  greetMs: number;
}): UnauthenticatedClients {
  const shares = openShares(unauthenticatedMax, PER_FREE);
  const places = new Map<Socket, Place>();
  const holders = new Map<string, Holder>();
  /** Of all that have not greeted, the oldest first. */
  const silent = new Set<Socket>();

  function noteGreeting(client: Socket): void {
    silent.delete(client);
    places.get(client)?.holder.silent.delete(client);
  }

  function release(client: Socket): void {
    const { holder } = places.get(client) ?? {};
    if (!holder) return;
    noteGreeting(client);
    places.delete(client);
    shares.release(holder.address);
    holder.places -= 1;
    if (holder.places === 0) holders.delete(holder.address);
  }

  /** Disconnects the first of these if it has had its time. */
  function evictFirst(clients: ReadonlySet<Socket>): boolean {
    const [oldest] = clients;
    if (!oldest || performance.now() - places.get(oldest)!.since < greetMs) return false;
    release(oldest);
    oldest.destroy();
    return true;
  }

  return {
    noteGreeting,
    release,
    admit(client) {
      const address = addressOf(client);
      if (!shares.isFree(address) && !evictFirst(holders.get(address)?.silent ?? silent)) {
        return false;
      }
      if (!shares.acquire(address)) return false;
      const holder = holders.get(address) ?? { address, places: 0, silent: new Set() };
      holders.set(address, holder);
      holder.places += 1;
      holder.silent.add(client);
      silent.add(client);
      places.set(client, { holder, since: performance.now() });
      return true;
    },
    closeAll() {
      for (const client of places.keys()) client.destroy();
    },
  };
}
