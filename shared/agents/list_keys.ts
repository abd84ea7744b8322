import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, Output, Paging } from '../kernel/schema.ts';
import { namesOf, rows } from '../platform/rows.ts';
import { KEY_COLUMNS } from './agents.ts';
import { KEY_FIELDS, viewOf } from './own_keys.ts';

export const listKeys = operation({
  name: 'list_keys',
  title: 'List keys',
  summary:
    "Lists the agent's API keys, newest first, ended ones too, with the hour of their last use. " +
    'The keys are not shown.',
  access: 'owner',
  mode: 'read',
  domain: 'agents',
  rest: 'GET /api/v1/agent/keys',
  tool: false,
  input: Input(Paging),
  output: List('keys', Output('Key', KEY_FIELDS)),

  async handle({ db, caller }, input) {
    const page = pageOf(input);
    const found = await rows(
      db,
      KEY_COLUMNS,
      `select ${namesOf(KEY_COLUMNS)} from api_key
        where agent_id = $1 and id < $2::bigint order by id desc limit $3`,
      [caller.agentId, page.before, page.limit + 1],
    );
    const { page: keys, rest } = paged(found, page);
    return { keys: keys.map(viewOf), ...rest };
  },
});
