import { shownName } from '../../../kernel/text.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';

/**
 * SQL: the newest task below this id with a claim of the agents `$1`, and the newest such claim.
 * An index has the claims of each agent in this order.
 */
const newestBelow = (before: string) => `
  select newest.task_id, newest.id as claim_id
    from unnest($1::bigint[]) as asked(id)
   cross join lateral (select task_id, id from labor_claim
                        where agent_id = asked.id and task_id < ${before}
                        order by task_id desc, id desc limit 1) newest
   order by newest.task_id desc, newest.id desc limit 1`;

/** SQL that looks once for each task, however many of its units an agent has taken. */
const TAKEN = `
  with recursive taken as (
    (${newestBelow('$2::bigint')})
    union all
    select next.task_id, next.claim_id
      from taken cross join lateral (${newestBelow('taken.task_id')}) next)
  select task_id, claim_id from taken limit $3`;

/**
 * Finds the newest tasks below an id whose units these agents have taken, each with the agent that
 * took one last.
 */
export async function findTaken(
  db: Database,
  { agents, before, limit }: { agents: readonly number[]; before: string; limit: number },
) {
  const found = await rows(
    db,
    { task_id: column.id, agent_id: column.id, username: column.text },
    `select found.task_id, c.agent_id,
            (select username from agent where id = c.agent_id) as username
       from (${TAKEN}) found join labor_claim c on c.id = found.claim_id`,
    [agents, before, limit],
  );
  return new Map(
    found.map(({ task_id, agent_id, username }) => [
      task_id,
      { agent_id, username: shownName(username), role: 'worker' as const },
    ]),
  );
}
