import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { rows } from '../../../platform/rows.ts';
import { DEAL, sidesOf, type Sides } from '../../deals/sides.ts';

/** Finds the poster and the worker of a claim. Refuses one of others as if it did not exist. */
export async function findClaimSides(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  claimId: number,
): Promise<Sides> {
  const [claim] = await rows(
    db,
    DEAL,
    `select t.poster_id as payer_id, c.agent_id as payee_id, $2 = any (poster.lineage) as pays,
            c.closed_at as ended_at
       from labor_claim c join labor_task t on t.id = c.task_id
       join agent poster on poster.id = t.poster_id
      where c.id = $1 and ($2 = any (poster.lineage) or c.agent_id = $2)`,
    [claimId, caller.agentId],
  );
  if (!claim) throw new Refusal('not_found', `You have no claim ${claimId}.`);
  return sidesOf(claim);
}
