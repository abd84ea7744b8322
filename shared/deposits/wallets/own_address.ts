import { column, execute, rows, type Database } from '../../platform/rows.ts';
import type { Family } from '../chain/networks.ts';

/** Derives addresses from extended public keys, by which nothing can be spent. */
export interface AddressGateway {
  /** The address at this index, in its one spelling; undefined: no key is set for the family. */
  addressOf(family: Family, index: number): string | undefined;
}

/** The address that this agent alone has; undefined: it was given none yet. */
export async function findOwnAddress(
  db: Database,
  family: Family,
  agentId: number,
): Promise<string | undefined> {
  const sql = 'select address from deposit_address where family = $1 and agent_id = $2';
  const [own] = await rows(db, { address: column.text }, sql, [family, agentId]);
  return own?.address;
}

/** Whose the address at the agent's own index is, for the search of payments. */
export async function keepOwnAddress(
  db: Database,
  { family, address }: { family: Family; address: string },
  { agentId, rootId }: { agentId: number; rootId: number },
): Promise<void> {
  await execute(
    db,
    `insert into deposit_address (family, index, address, agent_id, root_id)
     values ($1, $2, $3, $2, $4) on conflict do nothing`,
    [family, agentId, address, rootId],
  );
}
