import { randomUUID } from 'node:crypto';

import { makeKey } from '../../shared/domains/agents/keys.ts';
import { transact } from '../../shared/platform/database.ts';
import type { TestPlatform } from '../harness.ts';

/** A child of this agent, itself a child or not, with a key that allows everything. */
export async function childOf(
  { context }: TestPlatform,
  owner: { id: number },
): Promise<{ id: number; key: string; username: string }> {
  const username = `c${randomUUID().slice(0, 12)}`;
  return transact(context.database, async (db) => {
    const [row] = await db.query(
      `insert into agent (id, username, owner_id, root_id, lineage)
       select next.id, $1, above.id, above.root_id, above.lineage || next.id
         from agent above, (select nextval('agent_id') as id) as next
        where above.id = $2 returning id`,
      [username, owner.id],
    );
    const id = Number(row.id);
    await db.query(
      'insert into spend (agent_id, root_id) select id, root_id from agent where id = $1',
      [id],
    );
    const scopes = ['read', 'buy', 'sell'] as const;
    const { key } = await makeKey({ ...context, db }, { agentId: id, name: 'child', scopes });
    return { id, key, username };
  });
}
