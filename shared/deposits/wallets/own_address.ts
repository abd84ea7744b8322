import type { Gateways } from '../../kernel/gateways.ts';
import type { Tx } from '../../kernel/operation.ts';
import { column, execute, rows, type Database } from '../../platform/rows.ts';
import type { Family } from '../chain/networks.ts';

interface Prepared {
  readonly agentId: number;
  readonly own: string | undefined;
}

/**
 * What operations have in common that show the caller the address that it alone has: `handle` gets
 * it, and keeps it. It is derived in a worker, and nothing is asked outside.
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

/** Undefined: it was given none yet. */
async function findOwnAddress(
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
