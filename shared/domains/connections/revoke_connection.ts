import { holdLiveKey } from '../agents/own_keys.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { Connection, connectionOf } from './connections.ts';
import { endConnection } from './end_connection.ts';

export const revokeConnection = operation({
  name: 'revoke_connection',
  title: 'End a connection',
  summary:
    'Ends the access of an app within a second: its tokens, its proxy key and the keys of agents ' +
    'that it spawned. Its purchases stay yours. Repeating it is harmless. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'DELETE /api/v1/connections/:connection_id',
  bindings: { tool: false },
  effects: { destructive: true, idempotent: true },
  refusals: ['not_found'],
  input: Input({ connection_id: Id('The connection. See list_connections.') }),
  output: Connection.schema,

  async handle(tx, { connection_id }) {
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    const connection = await connectionOf(tx, connection_id);
    await holdLiveKey(tx);
    if (connection.revoked_at) return Connection.show(connection);
    await endConnection(tx.db, { id: connection_id, agentId: connection.agent_id });
    return Connection.show(await connectionOf(tx, connection_id));
  },
});
