import { column, namesOf, rows, type Database } from '../../platform/rows.ts';
import { POLICY_COLUMNS, viewOf } from './policy.ts';

/** The policies of a tree, which has a thousand agents at most. */
export async function treePolicies(db: Database, rootId: number): Promise<object[]> {
  const columns = { agent_id: column.id, version: column.int, ...POLICY_COLUMNS };
  const sql = `
    select ${namesOf(columns)} from policy
     where agent_id in (select id from agent where root_id = $1) order by agent_id`;
  const found = await rows(db, columns, sql, [rootId]);
  return found.map(({ agent_id, version, ...policy }) => ({
    agent_id,
    version,
    ...viewOf(policy),
  }));
}
