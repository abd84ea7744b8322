import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';

/**
 * Returns the poster of a labor task and the worker of one claim, as one of them sees it, and the
 * time the claim ended. Refuses a claim of others as if it did not exist.
 */
export async function findClaimSides({ db, caller }: Pick<Tx, 'db' | 'caller'>, claimId: number) {
  const [claim] = await rows(
    db,
    {
      poster_id: column.id,
      agent_id: column.id,
      posts: column.boolean,
      closed_at: nullable(column.time),
    },
    `select t.poster_id, c.agent_id, $2 = any (poster.lineage) as posts, c.closed_at
       from labor_claim c join labor_task t on t.id = c.task_id
       join agent poster on poster.id = t.poster_id
      where c.id = $1 and ($2 = any (poster.lineage) or c.agent_id = $2)`,
    [claimId, caller.agentId],
  );
  if (!claim) throw new Refusal('not_found', `You have no claim ${claimId}.`);
  const { poster_id, agent_id, posts, closed_at: endedAt } = claim;
  return posts
    ? { mine: poster_id, theirs: agent_id, endedAt }
    : { mine: agent_id, theirs: poster_id, endedAt };
}
