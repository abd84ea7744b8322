import type { Mutation } from '../mutation.ts';

const SPAWN = 'shared/domains/agents/spawn_agent.ts';
const CHILD = 'shared/domains/agents/children/child.ts';
const LIST = 'shared/domains/agents/list_children.ts';
const spawns = ['test/agents/spawn_agent.test.ts'];
const lists = ['test/agents/list_children.test.ts'];

/** Agents that agents spawn: where they are in their tree, how many, and what their keys allow. */
export const CHILDREN: readonly Mutation[] = [
  {
    name: 'only_roots_spawn',
    file: 'shared/domains/agents/access.ts',
    from: ' && !actsBelow',
    to: '',
    tests: spawns,
    grep: 'within the limits of all above it',
  },
  {
    name: 'revoked_key_spawns_an_agent',
    file: SPAWN,
    from: 'await holdLiveKey(tx);',
    to: 'void holdLiveKey;',
    tests: spawns,
    grep: 'revoked a moment ago',
  },
  {
    name: 'grandchild_is_below_the_root_alone',
    file: CHILD,
    from: 'above.lineage || next.id',
    to: 'array[above.root_id, next.id]',
    tests: spawns,
    grep: 'within the limits of all above it',
  },
  {
    name: 'agents_are_seven_below_one_another',
    file: CHILD,
    from: 'tree.depth > DEPTH_MAX',
    to: 'tree.depth > DEPTH_MAX + 1',
    tests: spawns,
    grep: 'six agents below one another',
  },
  {
    name: 'agents_are_five_below_one_another',
    file: CHILD,
    from: 'tree.depth > DEPTH_MAX',
    to: 'tree.depth >= DEPTH_MAX',
    tests: spawns,
    grep: 'six agents below one another',
  },
  {
    name: 'tree_has_a_thousand_and_one_agents',
    file: CHILD,
    from: 'tree.agents >= AGENTS_MAX',
    to: 'tree.agents > AGENTS_MAX',
    tests: spawns,
    grep: 'a thousand agents',
  },
  {
    name: 'agents_of_a_tree_are_counted_without_a_lock',
    file: CHILD,
    from: 'where id = $1 for no key update',
    to: 'where id = $1',
    tests: spawns,
    grep: 'a thousand agents',
  },
  {
    name: 'child_may_do_everything_by_default',
    file: SPAWN,
    from: "permissions = ['read'] as Scope[]",
    to: 'permissions = [...SCOPES] as Scope[]',
    tests: spawns,
    grep: 'only read if asked for no more',
  },
  {
    name: 'key_of_a_child_allows_everything',
    file: SPAWN,
    from: 'scopes: permissions }',
    to: 'scopes: SCOPES }',
    tests: spawns,
    grep: 'what was asked for',
  },
  {
    name: 'key_of_a_child_is_stored_with_the_answer',
    file: SPAWN,
    from: 'redact: withoutKey }',
    to: 'redact: (result) => ({ ...withoutKey(result), ...result }) }',
    tests: spawns,
    grep: 'shows its key once',
  },
  {
    name: 'child_sees_the_agents_beside_it',
    file: LIST,
    from: '$2::bigint = any (a.lineage)',
    to: '$2::bigint > 0',
    tests: lists,
    grep: 'nobody else',
  },
  {
    name: 'agent_is_its_own_child',
    file: LIST,
    from: ' and a.id <> $2::bigint',
    to: '',
    tests: lists,
    grep: 'nobody else',
  },
  {
    name: 'child_shows_what_it_spent_on_another_day',
    file: LIST,
    from: "case when s.day >= (now() at time zone 'UTC')::date then s.amount else 0 end",
    to: 's.amount',
    tests: lists,
    grep: 'what it spent today',
  },
];
