import type { EntityManager } from 'typeorm';

import { Refusal } from '../kernel/refusal.ts';
import { column, rows } from '../platform/rows.ts';
import type { Caller } from '../kernel/caller.ts';

/**
 * Refuses a caller that is neither above this agent nor the root of its tree. `forbidden` is for
 * the caller itself, the only agent that it can see beside those below it; all others do not exist
 * for it. The kernel calls this for every operation with an `ownerOf`, before the operation runs.
 */
export async function assertOwns(
  { db, caller }: { readonly db: EntityManager; readonly caller: Caller },
  agentId: number,
): Promise<void> {
  const [agent] = await rows(
    db,
    { id: column.id, lineage: column.ids },
    'select id, lineage from agent where id = $1',
    [agentId],
  );
  if (!agent?.lineage.includes(caller.agentId)) {
    throw new Refusal('not_found', 'You have no agent with this agent_id below you.');
  }
  if (agent.id === caller.agentId && caller.agentId !== caller.rootId) {
    throw new Refusal('forbidden', 'Only an agent above this one may call this.');
  }
}
