import { dialect, operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Output, Type } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { emit } from '../events/events.ts';
import { column, execute, row, rows } from '../platform/rows.ts';
import { SCOPES, type Scope } from './agents.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { holdLiveKey } from './own_keys.ts';

/** How far an agent may be below the root of its tree. */
const DEPTH_MAX = 6;
const AGENTS_MAX = 1_000;

const Name = Type.String({
  minLength: 1,
  maxLength: 31,
  pattern: '^[^/]+$',
  description: 'What to call it, without a slash. Others see root/name.',
});
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
    const { id, username } = await insertChild(tx, nameOf(name));
    // After the root's row: whoever revokes a key of the root locks them in this order.
    await holdLiveKey(tx);
    await execute(tx.db, 'insert into spend (agent_id, root_id) values ($1, $2)', [
      id,
      tx.caller.rootId,
    ]);
    const draft = { agentId: id, name: 'first', scopes: permissions };
    const { key } = await makeKey(tx.db, tx.secrets, draft);
    const { agentId } = tx.caller;
    const object = { kind: 'agent', id, status: 'active' };
    const data = { agent_id: id, owner_id: agentId, permissions };
    await emit(tx.db, [{ agentId, type: 'agent.spawned', object, data }]);
    return {
      success: true as const,
      agent: { agent_id: id, agent_name: name, username, owner_id: agentId, permissions },
      api_key: shown(key),
    };
  },
});

function nameOf(name: string): string {
  const cleaned = clean(name);
  if (!cleaned) throw invalid([{ pointer: '/name', message: 'has no visible character' }]);
  return cleaned;
}

/** The root's row is locked, so that two at once cannot exceed what a tree may have. */
async function insertChild({ db, caller }: Tx, name: string) {
  const root = await row(
    db,
    { username: column.text },
    'select username from agent where id = $1 for no key update',
    [caller.rootId],
  );
  const tree = await row(
    db,
    { agents: column.int, depth: column.int },
    `select count(*)::int as agents,
            (select cardinality(lineage) from agent where id = $2) as depth
       from agent where root_id = $1`,
    [caller.rootId, caller.agentId],
  );
  if (tree.depth > DEPTH_MAX || tree.agents >= AGENTS_MAX) {
    throw new Refusal(
      'forbidden',
      `A tree has at most ${AGENTS_MAX} agents, ${DEPTH_MAX} below one another under its root.`,
    );
  }
  const username = `${root.username}/${name}`;
  const [inserted] = await rows(
    db,
    { id: column.id },
    `insert into agent (id, username, owner_id, root_id, lineage)
     select next.id, $1, above.id, above.root_id, above.lineage || next.id
       from agent above, (select nextval('agent_id') as id) as next
      where above.id = $2
     on conflict do nothing returning id`,
    [username, caller.agentId],
  );
  if (!inserted) throw invalid([{ pointer: '/name', message: 'is taken in this tree of agents' }]);
  return { id: inserted.id, username };
}
