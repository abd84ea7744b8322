import type { Mutation } from '../mutation.ts';

/** The keys of agents below, and the tokens of apps. */
export const KEYS_BELOW: readonly Mutation[] = [
  {
    name: 'last_key_of_an_agent_below_cannot_be_ended',
    file: 'shared/domains/agents/revoke_key.ts',
    from: 'if (isOwn && !others.some(isMaster)) {',
    to: 'if ((isOwn || !isOwn) && !others.some(isMaster)) {',
    tests: ['test/agents/keys_below.test.ts'],
    grep: 'the last one too',
  },
  {
    name: 'key_outlives_the_end_of_the_app_above_it',
    file: 'shared/domains/agents/own_keys.ts',
    from: 'where a.id = $1 for share of c`,',
    to: 'where a.id = $1`,',
    tests: ['test/agents/keys_below.test.ts'],
    grep: 'not made past its end',
  },
  {
    name: 'token_of_an_app_is_rotated',
    file: 'shared/domains/agents/own_keys.ts',
    from: 'if (key.connection_id !== null) {',
    to: 'if (key.connection_id !== null && !live) {',
    tests: ['test/agents/keys_below.test.ts'],
    grep: 'tokens only where the app ends',
  },
  {
    name: 'key_is_made_for_an_agent_of_another_tree',
    file: 'shared/domains/agents/create_key.ts',
    from: 'const agentId = await visibleAgent(tx, agent_id);',
    to: 'const agentId = agent_id ?? (await visibleAgent(tx, agent_id));',
    tests: ['test/agents/keys_below.test.ts'],
    grep: 'changed by no other tree',
  },
];
