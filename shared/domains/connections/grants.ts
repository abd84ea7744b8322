import type { Tx } from '../../kernel/tx.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { column, rows } from '../../platform/rows.ts';
import { endConnection } from './end_connection.ts';
import { connectionEndedBy, lockConnection, removeGrant } from './oauth_items.ts';

/** Ends the tokens of one sign-in, and no others of the same app. */
export async function endGrant({ db }: Tx, grantId: string): Promise<void> {
  const connectionId = await connectionEndedBy(db, grantId);
  // A token that is being issued under this lock is seen, and ended, after it.
  if (connectionId !== undefined) await lockConnection(db, connectionId);
  await removeGrant(db, grantId);
}

/** Ends the whole connection that a sign-in made or renewed. */
export async function endConnectionOf({ db }: Tx, grantId: string): Promise<void> {
  const connectionId = await connectionEndedBy(db, grantId);
  if (connectionId === undefined) return;
  const columns = { root_id: column.id, agent_id: column.id };
  const sql = 'select root_id, agent_id from connection where id = $1';
  const [connection] = await rows(db, columns, sql, [connectionId]);
  // The tree first, in the same lock order as operations that change or end a connection.
  await lockTreasuries(db, [connection!.root_id]);
  await endConnection(db, { id: connectionId, agentId: connection!.agent_id });
}
