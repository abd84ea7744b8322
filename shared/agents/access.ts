import type { EntityManager } from 'typeorm';

import type { Access } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { column, rows } from '../platform/rows.ts';
import { SCOPES, type Scope } from './agents.ts';
import type { Caller } from './caller.ts';

/** Why this caller may not call this operation with any input; undefined: it may. */
export function accessRefusal(
  caller: Caller,
  { access, ownerOf }: { readonly access: Access; readonly ownerOf?: string | undefined },
): Refusal | undefined {
  if (access === 'public' || access === 'any') return undefined;
  const required = access === 'owner' ? SCOPES : [access as Scope];
  const missing = required.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) {
    return new Refusal('insufficient_scope', `This key lacks the scope ${missing.join(', ')}.`, {
      required,
      granted: caller.scopes,
    });
  }
  // Above which agent the caller has to be is told by the input: `assertOwns` looks.
  if (access === 'owner' && ownerOf === undefined && caller.agentId !== caller.rootId) {
    return new Refusal('forbidden', 'Only the owner of this tree of agents may do that.');
  }
  return undefined;
}

/**
 * Refuses a caller that is neither above this agent nor the root of its tree. `forbidden` is for
 * the caller itself, the only agent that it can see beside those below it; all others do not exist
 * for it. The kernel calls this for every operation that has `ownerOf`, before the operation runs.
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
    throw new Refusal('not_found', 'There is no such agent below this one.');
  }
  if (agent.id === caller.agentId && caller.agentId !== caller.rootId) {
    throw new Refusal('forbidden', 'Only an owner of this agent may do that.');
  }
}
