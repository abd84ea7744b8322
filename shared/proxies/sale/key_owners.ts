import type { Caller } from '../../agents/caller.ts';
import type { Context } from '../../kernel/context.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { PURPOSE } from './keys.ts';

/** The agent that a proxy key was made for. */
export interface Owner {
  readonly caller: Caller;
  /** The stored hash of the key. */
  readonly hash: Buffer;
}

/** The owner of this key; undefined: nobody has it, or no longer. */
export async function findOwner(context: Context, key: string): Promise<Owner | undefined> {
  if (!/^vnxp_[\w-]{43}$/.test(key)) return undefined;
  const { config, database, secrets } = context;
  // Looked up by keyed hashes, so the time that it takes says nothing about any key.
  const hashes = config.masterKeys.map(({ id }) => secrets.hash(PURPOSE, key, id).hash);
  const [owner] = await rows(
    database,
    { agent_id: column.id, hash: column.bytes, root_id: column.id },
    `select k.agent_id, k.hash, a.root_id from proxy_key k join agent a on a.id = k.agent_id
      where k.hash = any ($1)`,
    [hashes],
  );
  if (!owner) return undefined;
  const { agent_id: agentId, root_id: rootId, hash } = owner;
  return { caller: { agentId, rootId, keyId: 0, scopes: [] }, hash };
}

/** Of these hashes, in hexadecimal, those whose key is still valid and whose agent may spend. */
export async function findValidKeys(
  database: Database,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const valid = await rows(
    database,
    { hash: column.bytes },
    `select k.hash from proxy_key k join agent a on a.id = k.agent_id
      where k.hash = any ($1) and not exists (
        select from agent above where above.id = any (a.lineage) and above.status = 'suspended')`,
    [hashes],
  );
  return new Set(valid.map(({ hash }) => hash.toString('hex')));
}
