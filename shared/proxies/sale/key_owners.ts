import type { DataSource } from 'typeorm';

import type { Caller } from '../../agents/caller.ts';
import type { Context } from '../../kernel/context.ts';
import { PURPOSE } from './keys.ts';

/** Who a proxy key was made for. */
export interface Owner {
  readonly caller: Caller;
  /** What of the key is kept, by which it is known again. */
  readonly hash: Buffer;
}

/** Whose key this is; undefined: nobody's, or no longer. */
export async function findOwner(context: Context, key: string): Promise<Owner | undefined> {
  if (!/^vnxp_[\w-]{43}$/.test(key)) return undefined;
  const { config, database, secrets } = context;
  // Looked up by keyed hashes, so how long it takes tells nothing of any key.
  const hashes = config.masterKeys.map(({ id }) => secrets.hash(PURPOSE, key, id).hash);
  const [row] = await database.query(
    `select k.agent_id, k.hash, a.root_id from proxy_key k join agent a on a.id = k.agent_id
      where k.hash = any ($1)`,
    [hashes],
  );
  if (!row) return undefined;
  const caller = { agentId: row.agent_id, rootId: row.root_id, keyId: 0, scopes: [] };
  return { caller, hash: row.hash };
}

/** Of these hashes, in hexadecimal, those whose key is still one and whose agent may spend. */
export async function stillGood(
  database: DataSource,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const rows: { hash: Buffer }[] = await database.query(
    `select k.hash from proxy_key k join agent a on a.id = k.agent_id
      where k.hash = any ($1) and not exists (
        select from agent above where above.id = any (a.lineage) and above.status = 'suspended')`,
    [hashes],
  );
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}
