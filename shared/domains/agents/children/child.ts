import { emit } from '../../events/events.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import type { Scope } from '../../../kernel/caller.ts';

/** Maximum depth of an agent below the root of its tree. */
const DEPTH_MAX = 6;
const AGENTS_MAX = 1_000;

/**
 * Inserts an agent below the caller; undefined: the name is taken in its tree. Locks the root's
 * row, so that two calls at once cannot exceed the limits of a tree.
 */
export async function insertChild(
  { db, caller }: Tx,
  name: string,
): Promise<{ id: number; username: string } | undefined> {
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
  if (!inserted) return undefined;
  await execute(db, 'insert into spend (agent_id, root_id) values ($1, $2)', [
    inserted.id,
    caller.rootId,
  ]);
  return { id: inserted.id, username };
}

/** Emits the event of a new child, with the scopes of its first key, to the caller. */
export async function tellOfChild(
  { db, caller: { agentId } }: Tx,
  id: number,
  permissions: readonly Scope[],
): Promise<void> {
  const object = { kind: 'agent' as const, id, status: 'active' };
  const data = { agent_id: id, owner_id: agentId, permissions: [...permissions] };
  await emit(db, [{ agentId, type: 'agent.spawned', object, data }]);
}
