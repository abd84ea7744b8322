import type { EntityManager } from 'typeorm';

import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Type } from '../../../kernel/schema.ts';
import { column, rows } from '../../../platform/rows.ts';
import type { Caller } from '../../../kernel/caller.ts';

/** SQL: the ids of the agent in parameter `agent` and of all below it, in the tree `root`. */
export const idsBelow = (root: string, agent: string): string =>
  `(select id from agent where root_id = ${root} and ${agent}::bigint = any (lineage))`;

/**
 * The agent whose records a caller asks for: itself if it names none, or one below it. All others
 * do not exist for it.
 */
export async function visibleAgent(
  { db, caller }: { readonly db: EntityManager; readonly caller: Caller },
  agentId: number = caller.agentId,
): Promise<number> {
  if (agentId === caller.agentId) return agentId;
  const sql = 'select id from agent where id = $1 and $2::bigint = any (lineage)';
  const found = await rows(db, { id: column.id }, sql, [agentId, caller.agentId]);
  if (found.length > 0) return agentId;
  throw new Refusal('not_found', 'You have no agent with this agent_id below you.');
}

/** Input fields of a list that can show records of other agents than the caller. */
export const AgentFilter = {
  agent_id: Type.Optional(Id('An agent below; you if absent.')),
  below: Type.Optional(Type.Boolean({ description: 'Includes all agents below it.' })),
};

/** The agents whose records a list with `AgentFilter` shows. Refuses those not below the caller. */
export async function selectedAgents(
  tx: { readonly db: EntityManager; readonly caller: Caller },
  { agent_id, below = false }: { agent_id?: number | undefined; below?: boolean | undefined },
): Promise<number[]> {
  const agentId = await visibleAgent(tx, agent_id);
  if (!below) return [agentId];
  const found = await rows(tx.db, { id: column.id }, idsBelow('$1', '$2'), [
    tx.caller.rootId,
    agentId,
  ]);
  return found.map(({ id }) => id);
}
