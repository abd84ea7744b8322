import type { Scope } from '../../kernel/caller.ts';
import type { Tx } from '../../kernel/tx.ts';
import { execute } from '../../platform/rows.ts';
import { endKeysBelow } from './end_connection.ts';

/**
 * Sets the scopes of an app: of its connection and of its keys. Every process looks up those keys
 * again within a second. If scopes are removed, the keys of agents that it has spawned end.
 */
export async function setScopes(
  { db }: Tx,
  { id, agent_id: agentId, scopes: before }: { id: number; agent_id: number; scopes: Scope[] },
  scopes: readonly Scope[],
): Promise<void> {
  await execute(db, 'update connection set scopes = $2 where id = $1', [id, scopes]);
  // Not now(), which may be old: other processes look only 30 s back for changes.
  await execute(
    db,
    `update api_key set scopes = $2, changed_at = clock_timestamp()
      where connection_id = $1 and revoked_at is null and scopes <> $2`,
    [id, scopes],
  );
  if (before.some((scope) => !scopes.includes(scope))) await endKeysBelow(db, agentId);
}
