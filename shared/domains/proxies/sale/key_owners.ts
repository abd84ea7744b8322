import type { Caller } from '../../../kernel/caller.ts';
import type { Context } from '../../../composition/context.ts';
import { inflowOf } from '../../ledger/holdings.ts';
import { isAddress } from '../../../platform/egress/addresses.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { PURPOSE } from './keys.ts';

/** The agent that a proxy key was made for. */
export interface Owner {
  readonly caller: Caller;
  /** Id of the key; it changes when the key is replaced. */
  readonly proxyKeyId: number;
  /** The address that its client came from, if that stood for the key. */
  readonly address?: string;
}

/** Finds the owner of a key; undefined: the key is unknown or was replaced. */
export async function findOwner(context: Context, key: string): Promise<Owner | undefined> {
  if (!/^vnxp_[\w-]{43}$/.test(key)) return undefined;
  const { database, secrets } = context;
  // Looked up by keyed hashes, so that its duration reveals nothing about any key.
  return ownerBy(database, 'proxy_key k where k.hash = any ($1)', [secrets.hashes(PURPOSE, key)]);
}

/** Finds the owner of the key that this address stands for; undefined: it stands for none. */
export async function findOwnerAt(
  { database }: Context,
  address: string,
): Promise<Owner | undefined> {
  if (!isAddress(address)) return undefined;
  const from = 'proxy_address p join proxy_key k using (agent_id) where p.address = $1';
  const owner = await ownerBy(database, from, [address]);
  return owner && { ...owner, address };
}

/** Finds the owner of a key `k`. `from`: SQL behind FROM, with its parameters. */
async function ownerBy(
  database: Database,
  from: string,
  parameters: readonly unknown[],
): Promise<Owner | undefined> {
  const [owner] = await rows(
    database,
    { agent_id: column.id, id: column.id, root_id: column.id },
    `select k.agent_id, k.id, (select root_id from agent where id = k.agent_id) as root_id
       from ${from}`,
    parameters,
  );
  if (!owner) return undefined;
  const { agent_id: agentId, root_id: rootId, id: proxyKeyId } = owner;
  return { caller: { agentId, rootId, keyId: 0, scopes: [] }, proxyKeyId };
}

/** Whether the tree of this owner has never received cash: all its money is credit. */
export const isOnCredit = async ({ database }: Context, { caller }: Owner): Promise<boolean> =>
  (await inflowOf(database.manager, caller.rootId)) === 0n;

/** Finds which of these logins still hold, and belong to an agent that may spend. */
export async function findValid<L extends { readonly owner: Owner }>(
  database: Database,
  logins: readonly L[],
): Promise<ReadonlySet<L>> {
  const valid = await rows(
    database,
    { place: column.id },
    `select login.place
       from unnest($1::bigint[], $2::inet[]) with ordinality as login (key_id, address, place)
       join proxy_key k on k.id = login.key_id join agent a on a.id = k.agent_id
      where (login.address is null or exists (
              select from proxy_address p
               where p.address = login.address and p.agent_id = k.agent_id))
        and not exists (
        select from agent above where above.id = any (a.lineage) and above.status = 'suspended')`,
    [logins.map(({ owner }) => owner.proxyKeyId), logins.map(({ owner }) => owner.address ?? null)],
  );
  return new Set(valid.map(({ place }) => logins[place - 1]!));
}
