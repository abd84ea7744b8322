import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, Paging } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import { Connection, connectionsWhere } from './connections.ts';

export const listConnections = operation({
  name: 'list_connections',
  title: 'List connections',
  summary:
    'Lists the apps that you allowed to act for you, newest first, ended ones too, with their ' +
    'scopes, limits and spending today. Free.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/connections',
  bindings: { tool: false },
  input: Input(Paging),
  output: List('connections', Connection.schema),

  async handle({ db, caller }, input) {
    const page = pageOf(input);
    const found = await rows(
      db,
      Connection.columns,
      `${connectionsWhere('c.owner_id = $1 and c.id < $2::bigint')} order by c.id desc limit $3`,
      [caller.agentId, page.before, page.limit + 1],
    );
    const { page: connections, rest } = paged(found, page, 'connection_id');
    return { connections: connections.map(Connection.show), ...rest };
  },
});
