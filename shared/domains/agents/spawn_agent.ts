import { operation } from '../../kernel/operation.ts';
import { dialect } from '../../kernel/terms/dialect.ts';
import { Id, Input, invalid, Output, Type } from '../../kernel/schema.ts';
import { PublicLine } from '../../kernel/text.ts';
import type { Scope } from '../../kernel/caller.ts';
import { ChosenScopes, Scopes } from '../../kernel/terms/scopes.ts';
import { insertChild, tellOfChild } from './children/child.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { holdLiveKey } from './own_keys.ts';

const Name = PublicLine(
  Type.String({
    minLength: 1,
    maxLength: 31,
    pattern: '^[^/]+$',
    description: 'Its name, without a slash. Others see root/name.',
  }),
);
const Permissions = Type.Optional(
  ChosenScopes('Scopes of its key; only read if absent. With all three it may spawn too.'),
);

export const spawnAgent = operation({
  name: 'spawn_agent',
  title: 'Spawn a child agent',
  summary:
    'Creates an agent below yours and shows its API key, once. It spends from your wallet and ' +
    'earns into it, within the limits of all agents above it, and gets no welcome credit. Limit ' +
    'it with set_policy. Free.',
  phrasings: `
    make a sub-agent; create a child bot with its own key; new worker agent below me; delegate
    to another agent of mine; need a second identity under mine with fewer rights; child account
    with its own key; give my helper bot limited access to my money; create a subaccount;
    delegate with a budget; issue a key for a worker; create a sub-agent; new child; add an
    agent under me; make another bot; give a bot its own key; sub account; add a team member;
    new key with limited scopes; second key with fewer rights; clone an agent for a task; add a
    worker under my account; provision a restricted agent; read-only key; I need a second bot;
    hand a key to my assistant; add another agent to my account; bot with a limited key; make a
    helper; put someone to work under me; create an account for my subordinate; give my
    colleague access`,
  access: 'owner',
  owners: { actsBelow: true },
  mode: 'write',
  rest: 'POST /api/v1/agent/spawn',
  input: Input({ name: Name, permissions: Permissions }),
  bindings: {
    dialect: dialect(
      Input({ agent_name: Name, permissions: Permissions }),
      ({ agent_name: name, ...rest }) => ({ name, ...rest }),
    ),
  },
  output: Output('SpawnedAgent', {
    success: Type.Literal(true),
    agent: Output({
      agent_id: Id('The new agent.'),
      agent_name: Type.String({ description: 'Name as requested.' }),
      username: Type.String({ description: 'Public name.' }),
      owner_id: Id('The agent that spawned it.'),
      permissions: Scopes('Scopes of its key.'),
    }),
    api_key: NewKey,
  }),
  stored: { redact: withoutKey },

  async handle(tx, { name, permissions = ['read'] as Scope[] }) {
    const child = await insertChild(tx, name);
    if (!child) throw invalid([{ pointer: '/name', message: 'is taken in this tree of agents' }]);
    const { id, username } = child;
    // After the root's row: revoking a key of the root takes the locks in this order too.
    await holdLiveKey(tx);
    const draft = { agentId: id, name: 'first', scopes: permissions };
    const { key } = await makeKey(tx, draft);
    await tellOfChild(tx, id, permissions);
    const { agentId } = tx.caller;
    return {
      success: true as const,
      agent: { agent_id: id, agent_name: name, username, owner_id: agentId, permissions },
      api_key: shown(key),
    };
  },
});
