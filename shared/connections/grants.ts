import type { Tx } from '../kernel/operation.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { column, rows } from '../platform/rows.ts';
import { endConnection } from './end_connection.ts';
import { connectionOfGrant, removeGrant } from './oauth_items.ts';

/** Ends what came of one sign-in: its tokens, and no others of the same app. */
export async function endGrant({ db }: Tx, grantId: string): Promise<void> {
  await removeGrant(db, grantId);
}

/** Ends the whole connection that a sign-in made or renewed. */
export async function endConnectionOf({ db }: Tx, grantId: string): Promise<void> {
  const connectionId = await connectionOfGrant(db, grantId);
  if (connectionId === undefined) return;
  const columns = { root_id: column.id, agent_id: column.id };
  const sql = 'select root_id, agent_id from connection where id = $1';
  const [connection] = await rows(db, columns, sql, [connectionId]);
  // The tree first, as whoever changes or ends a connection does.
  await lockTreasuries(db, [connection!.root_id]);
  await endConnection(db, { id: connectionId, agentId: connection!.agent_id });
}
