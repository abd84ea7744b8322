import { owner } from '../console/browser_like.ts';
import type { TestPlatform } from '../harness.ts';

/** The address of an account. */
export async function addressOf(platform: TestPlatform, agentId: number): Promise<string> {
  const [{ email }] = await platform.query('select email from agent where id = $1', [agentId]);
  return email as string;
}

/** An owner, signed in, whose address was confirmed. */
export async function provenOwner(platform: TestPlatform) {
  const made = await owner(platform);
  return { ...made, address: await prove(platform, made.agent.id) };
}

/** Makes the address of an account a confirmed one, as its mailed link does. */
export async function prove(platform: TestPlatform, agentId: number): Promise<string> {
  const address = await addressOf(platform, agentId);
  const sql = 'insert into proven_address (agent_id, address) values ($1, $2)';
  await platform.query(sql, [agentId, address]);
  return address;
}
