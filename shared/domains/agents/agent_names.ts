import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output, Type } from '../../kernel/schema.ts';
import { column, oneOf, rows } from '../../platform/rows.ts';

const NAMES_MAX = 5_000;

export const agentNames = operation({
  name: 'agent_names',
  title: 'Names of child agents',
  summary:
    `Lists the names of the agents below this one, newest first, up to ${NAMES_MAX} at once: to ` +
    'show ids of a large tree by name. list_children says more of each. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/agent/names',
  bindings: { tool: false },
  input: Input({}),
  output: Output({
    names: Type.Array(
      Output('AgentName', {
        agent_id: Id('The agent.'),
        agent_name: Type.String({ description: 'Name given at spawning.' }),
        status: OneOf(['active', 'suspended'], 'A suspended agent cannot spend, list or withdraw.'),
      }),
      { description: 'The newest agents.' },
    ),
    has_more: Type.Boolean({ description: 'There are older agents, which are left out.' }),
  }),

  async handle({ db, caller }) {
    const found = await rows(
      db,
      { id: column.id, username: column.text, status: oneOf<'active' | 'suspended'>() },
      `select id, username, status from agent
        where root_id = $1 and $2::bigint = any (lineage) and id <> $2::bigint
        order by id desc limit $3`,
      [caller.rootId, caller.agentId, NAMES_MAX + 1],
    );
    const names = found.slice(0, NAMES_MAX).map(({ id, username, status }) => ({
      agent_id: id,
      agent_name: username.slice(username.indexOf('/') + 1),
      status,
    }));
    return { names, has_more: found.length > NAMES_MAX };
  },
});
