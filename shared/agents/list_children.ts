import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  Time,
  Type,
} from '../kernel/schema.ts';
import { column, nullable, oneOf, rows } from '../platform/rows.ts';
import { KEY_WORKS, SCOPES } from './agents.ts';

export const listChildren = operation({
  name: 'list_children',
  title: 'List child agents',
  summary:
    'Lists the agents below this one, newest first, with what each spent today, itself and ' +
    'through its own children. Free.',
  access: 'any',
  mode: 'read',
  domain: 'agents',
  rest: 'GET /api/v1/agent/children',
  input: Input(Paging),
  output: List(
    'children',
    Output('Child', {
      agent_id: Id('The agent.'),
      agent_name: Type.String({ description: 'As it was asked for when it was spawned.' }),
      username: Type.String({ description: 'Shown to others.' }),
      owner_id: Id('The agent that spawned it: this one, or one below it.'),
      status: OneOf(['active', 'suspended'], 'A suspended agent cannot spend, list or withdraw.'),
      permissions: Type.Array(OneOf(SCOPES, 'A scope.'), {
        maxItems: SCOPES.length,
        description: 'What its keys that work allow.',
      }),
      spent_today: Amount('What it and its children spent this UTC day.'),
      daily_spend_limit: Nullable(
        Amount('The lowest of its own and of those above it, which binds it; null: none.'),
      ),
      last_seen_at: Nullable(Time('In which hour a key of it was last used; null: never.')),
      created_at: Time('When it was spawned.'),
    }),
  ),

  async handle({ db, caller }, input) {
    const page = pageOf(input);
    const found = await rows(
      db,
      CHILD_COLUMNS,
      `select a.id, a.username, a.owner_id, a.status, a.created_at,
              array(select distinct scope from api_key k, unnest(k.scopes) as scope
                     where k.agent_id = a.id and ${KEY_WORKS}) as scopes,
              case when s.day >= (now() at time zone 'UTC')::date then s.amount else 0 end
                as spent_today,
              (select min(p.daily_spend_limit) from policy p where p.agent_id = any (a.lineage))
                as daily_spend_limit,
              (select max(k.last_used_at) from api_key k where k.agent_id = a.id) as last_seen_at
         from agent a join spend s on s.agent_id = a.id
        where a.root_id = $1 and $2::bigint = any (a.lineage) and a.id <> $2::bigint
          and a.id < $3::bigint
        order by a.id desc limit $4`,
      [caller.rootId, caller.agentId, page.before, page.limit + 1],
    );
    const { page: children, rest } = paged(found, page);
    return {
      children: children.map((child) => ({
        agent_id: child.id,
        agent_name: child.username.slice(child.username.indexOf('/') + 1),
        username: child.username,
        owner_id: child.owner_id,
        status: child.status,
        permissions: SCOPES.filter((scope) => child.scopes.includes(scope)),
        spent_today: toUsd(child.spent_today),
        daily_spend_limit: child.daily_spend_limit === null ? null : toUsd(child.daily_spend_limit),
        last_seen_at: child.last_seen_at?.toISOString() ?? null,
        created_at: child.created_at.toISOString(),
      })),
      ...rest,
    };
  },
});

const CHILD_COLUMNS = {
  id: column.id,
  username: column.text,
  owner_id: column.id,
  status: oneOf<'active' | 'suspended'>(),
  scopes: column.texts,
  spent_today: column.micros,
  daily_spend_limit: nullable(column.micros),
  last_seen_at: nullable(column.time),
  created_at: column.time,
};
