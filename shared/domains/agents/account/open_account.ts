import { Refusal } from '../../../kernel/refusal.ts';
import { column, row, type Database } from '../../../platform/rows.ts';

/**
 * Refuses what would be done with an agent of an account that its owner has closed. An account that
 * is being closed is closed before, and seen here, or finds what this transaction has done.
 */
export async function holdOpenAccount(db: Database, agentId: number): Promise<void> {
  if (!(await isClosed(db, agentId))) return;
  throw new Refusal('invalid_transition', 'The account was closed.');
}

/** Whether the account of an agent was closed. It stays so until the transaction ends. */
export async function isClosed(db: Database, agentId: number): Promise<boolean> {
  const { is_closed } = await row(
    db,
    { is_closed: column.boolean },
    `select closed_at is not null as is_closed from agent
      where id = (select root_id from agent where id = $1) for share`,
    [agentId],
  );
  return is_closed;
}
