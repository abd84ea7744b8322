import type { Scope } from '../agents/agents.ts';
import type { Tx } from '../kernel/operation.ts';
import { execute } from '../platform/rows.ts';
import { endKeysBelow } from './end_connection.ts';

/**
 * Sets what an app may do: the connection, and the keys that it has. Every process looks those up
 * again within a second. If it may do less, the keys of agents that it has spawned end.
 */
export async function setScopes(
  { db }: Tx,
  { id, agent_id: agentId, scopes: before }: { id: number; agent_id: number; scopes: Scope[] },
  scopes: readonly Scope[],
): Promise<void> {
  await execute(db, 'update connection set scopes = $2 where id = $1', [id, scopes]);
  // Not now(): other processes look only so far back for what was changed.
  await execute(
    db,
    `update api_key set scopes = $2, changed_at = clock_timestamp()
      where connection_id = $1 and revoked_at is null and scopes <> $2`,
    [id, scopes],
  );
  if (before.some((scope) => !scopes.includes(scope))) await endKeysBelow(db, agentId);
}
