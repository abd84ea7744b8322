import type { EntityManager } from 'typeorm';

import { Refusal } from '../../kernel/refusal.ts';
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
