import { operation } from '../../kernel/operation.ts';
import { CountedList, pageAfter, paged, pageOf } from '../../kernel/paging.ts';
import { Input, OneOf, Paging, Text, Type } from '../../kernel/schema.ts';
import { compareNames } from '../../kernel/text.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows, type Row } from '../../platform/rows.ts';
import { KEY_WORKS } from './agents.ts';
import { scopesField } from '../../kernel/terms/scopes.ts';

const STATUSES = ['active', 'suspended'] as const;
const SORTS = ['newest', 'oldest', 'name', 'spent_desc'] as const;

const CHILD = view('Child', {
  agent_id: field.id('The agent.'),
  agent_name: field.text('Name given at spawning.'),
  username: field.text('Public name.'),
  owner_id: field.id('The agent that spawned it: you or one below you.'),
  status: field.oneOf(STATUSES, 'A suspended agent cannot spend, list or withdraw.'),
  permissions: scopesField('Scopes of its working keys.'),
  spent_today: field.amount('Spending of it and its children this UTC day.'),
  daily_spend_limit: field.orNull(
    field.amount('The lowest of its own and those above it; null: no limit.'),
  ),
  last_seen_at: field.orNull(field.time('Hour in which its keys were last used; null: never.')),
  created_at: field.time('Spawn time.'),
});

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
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status.')),
    name: Type.Optional(Text(1, 64, 'Only names that contain this, in any case of letters.')),
    sort: Type.Optional(OneOf(SORTS, 'Counts them too.')),
    ...Paging,
  }),
  output: CountedList('ChildList', 'children', CHILD.schema),

  async handle({ db, caller }, { status = null, name = null, sort, ...paging }) {
    const asked = [caller.rootId, caller.agentId, status, name];
    // A tree has at most 1 000 agents: its list is sorted and counted whole.
    const keys = sort && (await rows(db, KEYS, KEYS_SQL, asked));
    const counted = keys && { total_count: keys.length };
    if (keys && sort !== 'newest') {
      const ids = keys.toSorted(COMPARE[sort]).map(({ id }) => id);
      const { page, rest } = pageAfter(ids, paging);
      const order = 'a.id = any ($5::bigint[]) order by array_position($5::bigint[], a.id)';
      const found = await rows(db, CHILD.columns, childrenWhere(order), [...asked, page]);
      return { children: found.map(CHILD.show), ...rest, ...counted };
    }
    const page = pageOf(paging);
    const order = 'a.id < $5::bigint order by a.id desc limit $6';
    const parameters = [...asked, page.before, page.limit + 1];
    const found = await rows(db, CHILD.columns, childrenWhere(order), parameters);
    const { page: children, rest } = paged(found, page, 'agent_id');
    return { children: children.map(CHILD.show), ...rest, ...counted };
  },
});

/** SQL: the name given at spawning. */
const NAME = `substr(a.username, strpos(a.username, '/') + 1)`;
const ASKED = `
  a.root_id = $1 and $2::bigint = any (a.lineage) and a.id <> $2::bigint
  and ($3::text is null or a.status = $3)
  and ($4::text is null or strpos(lower(${NAME}), lower($4)) > 0)`;
const SPENT = `case when s.day >= (now() at time zone 'UTC')::date then s.amount else 0 end`;

const KEYS = { id: column.id, name: column.text, spent: column.micros };
type Keys = Row<typeof KEYS>;
const KEYS_SQL = `
  select a.id, ${NAME} as name, ${SPENT} as spent
    from agent a join spend s on s.agent_id = a.id where ${ASKED} order by a.id desc`;

/** Equal ones stay newest first. */
const COMPARE: Readonly<Record<(typeof SORTS)[number], (a: Keys, b: Keys) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  name: (a, b) => compareNames(a.name, b.name),
  spent_desc: (a, b) => Number(b.spent - a.spent),
};

const childrenWhere = (order: string): string => `
  select a.id as agent_id, ${NAME} as agent_name, a.username, a.owner_id, a.status, a.created_at,
         array(select distinct scope from api_key k, unnest(k.scopes) as scope
                where k.agent_id = a.id and ${KEY_WORKS}) as permissions,
         ${SPENT} as spent_today,
         (select min(p.daily_spend_limit) from policy p where p.agent_id = any (a.lineage))
           as daily_spend_limit,
         (select max(k.last_used_at) from api_key k where k.agent_id = a.id) as last_seen_at
    from agent a join spend s on s.agent_id = a.id
   where ${ASKED} and ${order}`;
