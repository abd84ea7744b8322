import type { EntityManager } from 'typeorm';

import { Refusal } from '../../kernel/refusal.ts';
import { Id, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import type { Caller } from '../caller.ts';

/** SQL: the ids of the agent of parameter `$n` and of all below it, in the tree of `$root`. */
export const idsBelow = (root: string, agent: string): string =>
  `(select id from agent where root_id = ${root} and ${agent}::bigint = any (lineage))`;

/**
 * The agent whose records a caller asks for: itself, where it names none, or one below it. All
 * others do not exist for it.
 */
export async function visibleAgent(
  { db, caller }: { readonly db: EntityManager; readonly caller: Caller },
  agentId: number = caller.agentId,
): Promise<number> {
  if (agentId === caller.agentId) return agentId;
  const sql = 'select id from agent where id = $1 and $2::bigint = any (lineage)';
  const found = await rows(db, { id: column.id }, sql, [agentId, caller.agentId]);
  if (found.length > 0) return agentId;
  throw new Refusal('not_found', 'There is no such agent below this one.');
}

/** How a list asks for more than what is the caller's own. */
export const OfAgents = {
  agent_id: Type.Optional(Id('Of this agent below; your own if absent.')),
  below: Type.Optional(Type.Boolean({ description: 'With those of all agents below it.' })),
};

/** Whose records a list with `OfAgents` shows; refuses agents that are not below the caller. */
export async function agentsAsked(
  tx: { readonly db: EntityManager; readonly caller: Caller },
  { agent_id, below = false }: { agent_id?: number; below?: boolean },
): Promise<number[]> {
  const agentId = await visibleAgent(tx, agent_id);
  if (!below) return [agentId];
  const found = await rows(tx.db, { id: column.id }, idsBelow('$1', '$2'), [
    tx.caller.rootId,
    agentId,
  ]);
  return found.map(({ id }) => id);
}
