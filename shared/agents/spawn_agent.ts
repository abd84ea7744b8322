import { dialect, operation } from '../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Output, Type } from '../kernel/schema.ts';
import { ShownLine } from '../kernel/text.ts';
import { SCOPES, type Scope } from './agents.ts';
import { insertChild, tellOfChild } from './children/child.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { holdLiveKey } from './own_keys.ts';

const Name = ShownLine(
  Type.String({
    minLength: 1,
    maxLength: 31,
    pattern: '^[^/]+$',
    description: 'What to call it, without a slash. Others see root/name.',
  }),
);
const Permissions = Type.Optional(
  Type.Array(OneOf(SCOPES, 'A scope.'), {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description: 'What its key allows; only read if absent. One with all three may spawn too.',
  }),
);

export const spawnAgent = operation({
  name: 'spawn_agent',
  title: 'Spawn a child agent',
  summary:
    'Makes an agent below yours and shows its API key, once. It spends from your wallet and earns ' +
    'into it, within the limits of every agent above it, and has no welcome credit of its own. Free.',
  access: 'owner',
  actsBelow: true,
  mode: 'write',
  domain: 'agents',
  rest: 'POST /api/v1/agent/spawn',
  core: true,
  input: Input({ name: Name, permissions: Permissions }),
  dialect: dialect(
    Input({ agent_name: Name, permissions: Permissions }),
    ({ agent_name: name, ...rest }) => ({ name, ...rest }),
  ),
  output: Output('SpawnedAgent', {
    success: Type.Literal(true),
    agent: Output({
      agent_id: Id('The new agent.'),
      agent_name: Type.String({ description: 'As it was asked for.' }),
      username: Type.String({ description: 'Shown to others.' }),
      owner_id: Id('The agent that spawned it.'),
      permissions: Type.Array(OneOf(SCOPES, 'A scope.'), {
        maxItems: SCOPES.length,
        description: 'What its key allows.',
      }),
    }),
    api_key: NewKey,
  }),
  redact: withoutKey,

  async handle(tx, { name, permissions = ['read'] as Scope[] }) {
    const child = await insertChild(tx, name);
    if (!child) throw invalid([{ pointer: '/name', message: 'is taken in this tree of agents' }]);
    const { id, username } = child;
    // After the root's row: whoever revokes a key of the root locks them in this order.
    await holdLiveKey(tx);
    const draft = { agentId: id, name: 'first', scopes: permissions };
    const { key } = await makeKey(tx.db, tx.secrets, draft);
    await tellOfChild(tx, id, permissions);
    const { agentId } = tx.caller;
    return {
      success: true as const,
      agent: { agent_id: id, agent_name: name, username, owner_id: agentId, permissions },
      api_key: shown(key),
    };
  },
});
