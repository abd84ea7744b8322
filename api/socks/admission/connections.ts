import type { SocksSettings } from '../../../shared/domains/proxies/settings.ts';
import { throttled } from '../../../shared/platform/log.ts';
import { findValid } from '../../../shared/domains/proxies/sale/key_owners.ts';
import { openLeases } from '../../../shared/platform/shares/leases.ts';
import { openShares } from '../../../shared/platform/shares/shares.ts';
import type { Context } from '../../../shared/composition/context.ts';
import type { Limits } from '../limits.ts';
import type { Connection } from './connection.ts';
import { openMovement } from './movement.ts';

/** The open connections. Limits their number, and ends those whose key is no longer valid. */
export interface ConnectionRegistry {
  /**
   * Returns a sentence if its agent or its tree has as many connections as it may. If its tree has
   * fewer than another tree, the connection takes the place of an idle one of that tree.
   */
  add(connection: Connection): Promise<string | undefined>;
  remove(connection: Pick<Connection, 'id'>): void;
  countOpen(): number;
  endAll(reason: string): void;
  stop(): void;
}

/** A replaced key or a suspended agent loses its connections within a second. */
const CHECK_EVERY_MS = 500;
/** Share of a tree: half of the connections of a process, if it is alone. */
const PER_FREE = 1;
/** Share of all trees on credit together, so that those who paid find the other half. */
const ON_CREDIT = 0.5;

export function openConnectionRegistry(
  context: Context,
  { connections: connectionsMax, connectionsPerAgent, connectionsOnCredit }: SocksSettings,
  { uncheckedMs, stillMs }: Limits,
): ConnectionRegistry {
  const warn = throttled(context.log);
  const leases = openLeases(context.queue, 'socks', connectionsPerAgent);
  const leasesOnCredit = openLeases(context.queue, 'socks-on-credit', connectionsOnCredit);
  const ofTrees = openShares(connectionsMax, PER_FREE);
  const ofTreesOnCredit = openShares(Math.ceil(connectionsMax * ON_CREDIT), PER_FREE);
  const open = new Map<string, Connection>();
  const movement = openMovement(stillMs);
  let checkedAt = performance.now();
  let isChecking = false;

  async function checkKeys(): Promise<void> {
    const connections = [...open.values()];
    const startedAt = performance.now();
    if (connections.length > 0) {
      const valid = await findValid(context.reserved, connections);
      for (const connection of connections) {
        if (!valid.has(connection)) connection.ended.abort('no_longer_allowed');
      }
    }
    checkedAt = startedAt;
  }

  function endAll(reason: string): void {
    for (const { ended } of open.values()) ended.abort(reason);
  }

  const timer = setInterval(() => {
    if (performance.now() - checkedAt > uncheckedMs) endAll('database_away');
    movement.look(open.values());
    if (isChecking) return; // A slow database must not get more queries.
    isChecking = true;
    checkKeys()
      .catch((error: unknown) => warn('replaced keys could not be looked up', error))
      .finally(() => (isChecking = false));
  }, CHECK_EVERY_MS);

  const ofAgentMax = `Your agent has ${connectionsPerAgent} connections open, as many as it may.`;
  const onCreditMax =
    `Until cash has come in, your whole tree of agents may have ${connectionsOnCredit} ` +
    'connections open.';
  const ofServerMax =
    `Your tree of agents has its share of the ${connectionsMax} connections of this server. ` +
    'Retry later.';

  /** The sentence about the limit that another connection would exceed. */
  function limitReached({ owner: { caller }, isOnCredit }: Connection): string | undefined {
    let [ofAgent, ofTree] = [0, 0];
    for (const { owner } of open.values()) {
      if (owner.caller.agentId === caller.agentId) ofAgent += 1;
      if (owner.caller.rootId === caller.rootId) ofTree += 1;
    }
    if (isOnCredit && ofTree >= connectionsOnCredit) return onCreditMax;
    return ofAgent < connectionsPerAgent ? undefined : ofAgentMax;
  }

  /** Takes a connection that is free for its tree. */
  function take(connection: Connection): boolean {
    const { rootId } = connection.owner.caller;
    const isFree = ofTrees.isFree(rootId);
    if (!isFree || (connection.isOnCredit && !ofTreesOnCredit.isFree(rootId))) return false;
    hold(connection);
    return true;
  }

  function hold(connection: Connection): void {
    const { rootId } = connection.owner.caller;
    ofTrees.hold(rootId);
    if (connection.isOnCredit) ofTreesOnCredit.hold(rootId);
    open.set(connection.id, connection);
  }

  function remove({ id }: Pick<Connection, 'id'>): void {
    const connection = open.get(id);
    if (!connection) return;
    const { agentId, rootId } = connection.owner.caller;
    open.delete(id);
    ofTrees.release(rootId);
    if (connection.isOnCredit) ofTreesOnCredit.release(rootId);
    leases.release(agentId, id);
    leasesOnCredit.release(rootId, id);
  }

  /** Takes the place of an idle connection of the tree that has most of them. */
  function takeOver(connection: Connection): boolean {
    const { owner, isOnCredit } = connection;
    const still = movement.stillestFor(owner.caller.rootId, [...open.values()], isOnCredit);
    if (!still) return false;
    still.ended.abort('made_way');
    remove(still);
    hold(connection);
    return true;
  }

  return {
    async add(connection) {
      const sentence = limitReached(connection);
      if (sentence !== undefined) return sentence;
      if (!take(connection) && !takeOver(connection)) return ofServerMax;
      const { id, isOnCredit } = connection;
      const { agentId, rootId } = connection.owner.caller;
      const [hasLease, hasLeaseOnCredit] = await Promise.all([
        leases.acquire(agentId, id),
        isOnCredit ? leasesOnCredit.acquire(rootId, id) : true,
      ]).catch(() => [true, true]); // Without Redis each process counts alone.
      if (hasLease && hasLeaseOnCredit) return undefined;
      remove(connection);
      return hasLeaseOnCredit ? ofAgentMax : onCreditMax;
    },
    remove,
    countOpen: () => open.size,
    endAll,
    stop: () => clearInterval(timer),
  };
}
