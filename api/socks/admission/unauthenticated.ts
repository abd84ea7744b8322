import type { Socket } from 'node:net';

import { blockOf } from '../../../shared/platform/egress/addresses.ts';
import { openShares } from '../../../shared/platform/shares/shares.ts';

/**
 * The clients that are not open connections yet: most of them have not logged in. An address
 * (IPv6: a /64) may have as many as are free, so one is left for another address.
 */
export interface UnauthenticatedClients {
  /**
   * False: there is no place for it. It replaces the oldest client of its address that has not
   * greeted within `greetMs`; if its address has none and nothing is free, the oldest of all.
   */
  admit(client: Socket): boolean;
  /** Notes that it has greeted: no other client replaces it. */
  noteGreeting(client: Socket): void;
  /** Notes that it has ended, or is an open connection now. */
  release(client: Socket): void;
  closeAll(): void;
}

interface Place {
  readonly holder: Holder;
  readonly since: number;
}

/** An address that has clients here. */
interface Holder {
  readonly address: string;
  places: number;
  /** Clients that have not greeted, oldest first. */
  readonly silent: Set<Socket>;
}

/** The address that a client counts for. It is empty once the client has disconnected. */
export const addressOf = (client: Socket): string => blockOf(client.remoteAddress ?? '');

/** Share of an address: half of all, if it is alone. */
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
  /** Clients of all addresses that have not greeted, oldest first. */
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

  /** Disconnects the first of these clients if its time to greet is over. */
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
