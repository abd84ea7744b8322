import type { Caller } from '../../agents/caller.ts';
import type { Context } from '../../kernel/context.ts';
import { inflowOf } from '../../ledger/holdings.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { PURPOSE } from './keys.ts';

/** The agent that a proxy key was made for. */
export interface Owner {
  readonly caller: Caller;
  /** Which key; another one when it is replaced. */
  readonly proxyKeyId: number;
}

/** The owner of this key; undefined: nobody has it, or no longer. */
export async function findOwner(context: Context, key: string): Promise<Owner | undefined> {
  if (!/^vnxp_[\w-]{43}$/.test(key)) return undefined;
  const { database, secrets } = context;
  // Looked up by keyed hashes, so the time that it takes says nothing about any key.
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

/** Whether no cash has ever come into the tree of this owner: all that it has is credit. */
export const isOnCredit = async ({ database }: Context, { caller }: Owner): Promise<boolean> =>
  (await inflowOf(database.manager, caller.rootId)) === 0n;

/** Of these keys those that are still valid and whose agent may spend. */
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
