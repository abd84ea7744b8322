import { SCOPES } from '../../kernel/caller.ts';
import { PLATFORM, type Caller } from '../../kernel/caller.ts';
import { openTreasury } from '../ledger/ledger.ts';
import { column, execute, row, rows, type Database } from '../../platform/rows.ts';

/** The account that is bound to a paying address. Undefined: it has not paid yet. */
export async function findAccount(db: Database, address: string): Promise<number | undefined> {
  const sql = 'select agent_id from x402_account where address = $1';
  const [found] = await rows(db, { agent_id: column.id }, sql, [address]);
  return found?.agent_id;
}

/**
 * The same, opened if there is none. It has no password and no welcome credit, which would be worth
 * more than a payment: whoever needs a key asks for one in a call that it pays for.
 */
export async function openAccount(db: Database, address: string): Promise<number> {
  const before = await findAccount(db, address);
  if (before !== undefined) return before;
  // No one else can have this name: it is longer than those that are registered. Of two payments
  // at once the second waits here, and finds the account of the first.
  const [opened] = await rows(
    db,
    { id: column.id },
    `insert into agent (id, username, root_id, lineage)
     select id, $1, id, array [id] from (select nextval('agent_id') as id) as next
     on conflict do nothing returning id`,
    [`x402-${address}`],
  );
  if (!opened) return (await row(db, ACCOUNT, BY_ADDRESS, [address])).agent_id;
  const { id } = opened;
  await openTreasury(db as Parameters<typeof openTreasury>[0], id);
  await execute(db, 'insert into spend (agent_id, root_id) values ($1, $1)', [id]);
  await execute(db, 'insert into x402_account (address, agent_id, root_id) values ($1, $2, $2)', [
    address,
    id,
  ]);
  return id;
}

const ACCOUNT = { agent_id: column.id };
const BY_ADDRESS = 'select agent_id from x402_account where address = $1';

/** A caller that its payment proves may do all that its account may. */
export const payerOf = (agentId: number, payer: string): Caller => ({
  ...PLATFORM,
  agentId,
  rootId: agentId,
  scopes: SCOPES,
  payer,
});
