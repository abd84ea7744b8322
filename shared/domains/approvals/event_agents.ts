import { column, row, type Database } from '../../platform/rows.ts';

/**
 * The agents that get the events of an approval: the one that calls, and those that may decide. A
 * root is left out of the latter, because it reads the events of its whole tree.
 */
export async function agentsOfApproval(
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
