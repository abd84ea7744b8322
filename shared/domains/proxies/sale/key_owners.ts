import type { Caller } from '../../../kernel/caller.ts';
import type { Context } from '../../../composition/context.ts';
import { inflowOf } from '../../ledger/holdings.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { PURPOSE } from './keys.ts';

/** The agent that a proxy key was made for. */
export interface Owner {
  readonly caller: Caller;
  /** Id of the key; it changes when the key is replaced. */
  readonly proxyKeyId: number;
}

/** Finds the owner of a key; undefined: the key is unknown or was replaced. */
export async function findOwner(context: Context, key: string): Promise<Owner | undefined> {
  if (!/^vnxp_[\w-]{43}$/.test(key)) return undefined;
  const { database, secrets } = context;
  // Looked up by keyed hashes, so that its duration reveals nothing about any key.
  const [owner] = await rows(
    database,
    { agent_id: column.id, id: column.id, root_id: column.id },
    `select k.agent_id, k.id, a.root_id from proxy_key k join agent a on a.id = k.agent_id
      where k.hash = any ($1)`,
    [secrets.hashes(PURPOSE, key)],
  );
  if (!owner) return undefined;
  const { agent_id: agentId, root_id: rootId, id: proxyKeyId } = owner;
  return { caller: { agentId, rootId, keyId: 0, scopes: [] }, proxyKeyId };
}

/** Whether the tree of this owner has never received cash: all its money is credit. */
export const isOnCredit = async ({ database }: Context, { caller }: Owner): Promise<boolean> =>
  (await inflowOf(database.manager, caller.rootId)) === 0n;

/** Finds which of these keys are still valid and belong to an agent that may spend. */
export async function findValidKeys(
  database: Database,
  proxyKeyIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const valid = await rows(
    database,
    { id: column.id },
    `select k.id from proxy_key k join agent a on a.id = k.agent_id
      where k.id = any ($1) and not exists (
        select from agent above where above.id = any (a.lineage) and above.status = 'suspended')`,
    [proxyKeyIds],
  );
  return new Set(valid.map(({ id }) => id));
}
