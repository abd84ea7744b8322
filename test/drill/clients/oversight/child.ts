import { randomUUID } from 'node:crypto';

import type { Agent } from '../../calls/call.ts';
import type { Comparison } from '../../comparison.ts';
import type { Trader } from '../trader.ts';

/** An agent below this one, whose key is known: it is shown once, and that answer may be lost. */
export async function spawnChild(trader: Trader, prefix: string): Promise<Agent> {
  const { agent, client, wrong } = trader;
  const operation = 'spawn_agent';
  for (;;) {
    const input = { name: `${prefix}${randomUUID().slice(0, 20)}`, permissions: ['read', 'buy'] };
    const spawned = await client({ agent, operation, input, key: trader.newKey(operation) });
    if (spawned?.status !== 200) wrong(`${operation} was refused: ${spawned?.text}`);
    const { agent: made, api_key } = spawned!.body;
    if (api_key.key) return { id: made.agent_id, token: api_key.key };
  }
}

/** Compares an agent that calls services only while it is barred: it was charged for none. */
export async function compareBarred({ database, same }: Comparison, { id }: Agent): Promise<void> {
  const sql = 'select service, units from charge where agent_id = $1';
  const found = await database.query(sql, [id]);
  same('charges', `what agent ${id} paid, which was barred`, { found, told: [] });
}
