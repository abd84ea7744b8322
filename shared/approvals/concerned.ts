import { column, row, rows, type Database } from '../platform/rows.ts';

/**
 * The agents that an approval concerns, for events: the one that calls, and those that may decide.
 * The root is not among the latter, because it reads the events of its whole tree.
 */
export async function concernedBy(
  db: Database,
  { agent_id, policy_of }: { readonly agent_id: number; readonly policy_of: number },
): Promise<number[]> {
  const { above } = await row(
    db,
    { above: column.ids },
    `select lineage[2:cardinality(lineage) - 1] as above from agent where id = $1`,
    [policy_of],
  );
  return [agent_id, ...above];
}

/** How many calls of each of these agents wait for an owner. Agents without any are left out. */
export async function pendingApprovals(
  db: Database,
  agentIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = await rows(
    db,
    { agent_id: column.id, pending: column.int },
    `select agent_id, count(*) as pending from approval
      where agent_id = any ($1) and status = 'pending' and expires_at > now()
      group by agent_id`,
    [agentIds],
  );
  return new Map(found.map(({ agent_id, pending }) => [agent_id, pending]));
}
