import type { Gateways } from '../../../composition/gateways.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, rows, type Database } from '../../../platform/rows.ts';
import type { Family } from '../chain/networks.ts';

interface Prepared {
  readonly agentId: number;
  readonly own: string | undefined;
}

/**
 * Shared parts of operations that show the caller its own address: `handle` gets and stores it. A
 * worker derives it, without any request to the outside.
 */
export const ownAddress = (family: Family) => ({
  async prepare({ db, caller: { agentId } }: Tx): Promise<Prepared> {
    return { agentId, own: await findOwnAddress(db, family, agentId) };
  },
  async gather(
    { addresses }: Gateways,
    _input: object,
    _call: unknown,
    { agentId, own }: Prepared,
  ): Promise<string | undefined> {
    return own ?? addresses.addressOf(family, agentId);
  },
});

/** The stored address of the caller; undefined: none yet. */
async function findOwnAddress(
  db: Database,
  family: Family,
  agentId: number,
): Promise<string | undefined> {
  const sql = 'select address from deposit_address where family = $1 and agent_id = $2';
  const [own] = await rows(db, { address: column.text }, sql, [family, agentId]);
  return own?.address;
}

/** Stores the address at the agent's own index, so that payments to it are found. */
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
