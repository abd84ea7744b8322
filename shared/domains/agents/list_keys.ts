import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, Output, Paging, Type } from '../../kernel/schema.ts';
import { namesOf, rows } from '../../platform/rows.ts';
import { KEY_COLUMNS } from './agents.ts';
import { visibleAgent } from './tree/below.ts';
import { KEY_FIELDS, viewOf } from './own_keys.ts';

export const listKeys = operation({
  name: 'list_keys',
  title: 'List keys',
  summary:
    "Lists the agent's API keys, newest first, ended ones too, with the hour of their last use. " +
    'The keys are not shown.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/agent/keys',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('An agent below; you if absent.')),
    ...Paging,
  }),
  output: List('keys', Output('Key', KEY_FIELDS)),

  async handle(tx, { agent_id, ...paging }) {
    const agentId = await visibleAgent(tx, agent_id);
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      KEY_COLUMNS,
      `select ${namesOf(KEY_COLUMNS)} from api_key
        where agent_id = $1 and id < $2::bigint order by id desc limit $3`,
      [agentId, page.before, page.limit + 1],
    );
    const { page: keys, rest } = paged(found, page);
    return { keys: keys.map(viewOf), ...rest };
  },
});
