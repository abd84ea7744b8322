import type { SocksSettings } from '../../shared/proxies/settings.ts';
import { throttled } from '../../shared/platform/log.ts';
import { findValidKeys, type Owner } from '../../shared/proxies/sale/key_owners.ts';
import { openLeases } from '../../shared/platform/shares/leases.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Limits } from './limits.ts';

/** An open connection of a client that has logged in. */
export interface Connection {
  readonly id: string;
  readonly owner: Owner;
  /** Ends it; the reason is for the log. */
  readonly ended: AbortController;
}

/** The open connections: it bounds their number, and ends those whose key is no longer valid. */
export interface ConnectionRegistry {
  /** False: there are as many as there may be, of this agent or in all. */
  add(connection: Connection): Promise<boolean>;
  remove(connection: Connection): void;
  countOpen(): number;
  endAll(reason: string): void;
  stop(): void;
}

/** A replaced key and a suspended agent lose their connections within a second. */
const CHECK_EVERY_MS = 500;

export function openConnectionRegistry(
  context: Context,
  { connections: connectionsMax, connectionsPerAgent }: SocksSettings,
  { uncheckedMs }: Limits,
): ConnectionRegistry {
  const warn = throttled(context.log);
  const leases = openLeases(context.queue, 'socks', connectionsPerAgent);
  const open = new Map<string, Connection>();
  let checkedAt = performance.now();
  let isChecking = false;

  async function checkKeys(): Promise<void> {
    const connections = [...open.values()];
    const startedAt = performance.now();
    if (connections.length > 0) {
      const valid = await findValidKeys(
        context.reserved,
        connections.map(({ owner }) => owner.proxyKeyId),
      );
      for (const { owner, ended } of connections) {
        if (!valid.has(owner.proxyKeyId)) ended.abort('no_longer_allowed');
      }
    }
    checkedAt = startedAt;
  }

  function endAll(reason: string): void {
    for (const { ended } of open.values()) ended.abort(reason);
  }

  const timer = setInterval(() => {
    if (performance.now() - checkedAt > uncheckedMs) endAll('database_away');
    if (isChecking) return; // More queries do not help a slow database.
    isChecking = true;
    checkKeys()
      .catch((error: unknown) => warn('replaced keys could not be looked up', error))
      .finally(() => (isChecking = false));
  }, CHECK_EVERY_MS);

  return {
    async add(connection) {
      const { agentId } = connection.owner.caller;
      const own = [...open.values()].filter(({ owner }) => owner.caller.agentId === agentId);
      if (open.size >= connectionsMax || own.length >= connectionsPerAgent) return false;
      open.set(connection.id, connection);
      // Without Redis each process counts alone.
      const hasLease = await leases.acquire(agentId, connection.id).catch(() => true);
      if (!hasLease) open.delete(connection.id);
      return hasLease;
    },
    remove({ id, owner }) {
      if (open.delete(id)) leases.release(owner.caller.agentId, id);
    },
    countOpen: () => open.size,
    endAll,
    stop: () => clearInterval(timer),
  };
}
