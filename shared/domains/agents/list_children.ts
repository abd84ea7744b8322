import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
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
} from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows } from '../../platform/rows.ts';
import { KEY_WORKS } from './agents.ts';
import { SCOPES } from '../../kernel/caller.ts';

export const listChildren = operation({
  name: 'list_children',
  title: 'List child agents',
  summary:
    'Lists the agents below this one, newest first, with the spending today of each and its ' +
    'children. Free.',
  phrasings: `
    my sub-agents; which bots are below me; all child agents and their limits; show all bots
    under my account; subaccounts and what they spent today; my fleet of agents; hierarchy below
    me; agents under me; list sub-agents; my bots; all accounts below mine; who are my children;
    show my agents; number of sub accounts; which agents do I control; show everyone under me;
    how many bots do I have; the accounts I made`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/agent/children',
  input: Input(Paging),
  output: List(
    'children',
    Output('Child', {
      agent_id: Id('The agent.'),
      agent_name: Type.String({ description: 'Name given at spawning.' }),
      username: Type.String({ description: 'Public name.' }),
      owner_id: Id('The agent that spawned it: you or one below you.'),
      status: OneOf(['active', 'suspended'], 'A suspended agent cannot spend, list or withdraw.'),
      permissions: Type.Array(OneOf(SCOPES, 'A scope.'), {
        maxItems: SCOPES.length,
        description: 'Scopes of its working keys.',
      }),
      spent_today: Amount('Spending of it and its children this UTC day.'),
      daily_spend_limit: Nullable(
        Amount('The lowest of its own and those above it; null: no limit.'),
      ),
      last_seen_at: Nullable(Time('Hour in which its keys were last used; null: never.')),
      created_at: Time('Spawn time.'),
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
