import { execute, type Database } from '../../platform/rows.ts';

/** Ends all access of an app at once: its tokens, and the keys it created with them. */
export async function endConnection(
  db: Database,
  { id, agentId }: { readonly id: number; readonly agentId: number },
): Promise<void> {
  await execute(db, 'update connection set revoked_at = clock_timestamp() where id = $1', [id]);
  await execute(db, 'delete from oauth_item where connection_id = $1', [id]);
  await execute(db, 'delete from proxy_key where agent_id = $1', [agentId]);
  // Not now(), which may be old: other processes look only 30 s back for revocations.
  await execute(
    db,
    `update api_key set revoked_at = clock_timestamp()
      where agent_id = $1 and revoked_at is null`,
    [agentId],
  );
  await endKeysBelow(db, agentId);
}

/** Ends the keys of agents that an app with all scopes has spawned: they would outlive its own. */
export async function endKeysBelow(db: Database, agentId: number): Promise<void> {
  const below = `
    select a.id from agent a
     where a.root_id = (select root_id from agent where id = $1) and $1 = any (a.lineage)
       and a.id <> $1`;
  await execute(
    db,
    `update api_key set revoked_at = clock_timestamp()
      where agent_id in (${below}) and revoked_at is null`,
    [agentId],
  );
  await execute(db, `delete from proxy_key where agent_id in (${below})`, [agentId]);
}
