import { randomUUID } from 'node:crypto';

import { perform } from '../shared/performing/perform.ts';
import { toUsd } from '../shared/kernel/money.ts';
import { setPolicy as operation } from '../shared/domains/policies/set_policy.ts';
import type { TestPlatform } from './harness.ts';

/**
 * Sets limits of an agent, as the root of its tree would. Amounts are in micro-dollars, product
 * types a list.
 */
export async function setPolicy(
  platform: Pick<TestPlatform, 'query' | 'context'>,
  { id }: { readonly id: number },
  limits: Readonly<Record<string, unknown>>,
): Promise<void> {
  const call = {
    caller: await callerAbove(platform, id),
    key: randomUUID(),
    now: platform.context.clock.now(),
    requestId: 'test',
  };
  const fields = Object.entries(limits).map(([name, limit]) => [
    name,
    name === 'min_seller_buyers' ? limit : inputOf(limit),
  ]);
  const input = { agent_id: id, ...Object.fromEntries(fields) };
  await perform(platform.context, operation, input, call);
}

/** The root of an agent's tree, as its first key proves it. */
export async function callerAbove(platform: Pick<TestPlatform, 'query'>, id: number) {
  const [{ root, key }] = await platform.query(
    `select a.root_id::int as root, k.id::int as key
       from agent a join api_key k on k.agent_id = a.root_id where a.id = $1 order by k.id limit 1`,
    [id],
  );
  return { agentId: root as number, rootId: root as number, keyId: key as number, scopes: [] };
}

function inputOf(limit: unknown): unknown {
  if (Array.isArray(limit)) return limit.join();
  return limit === null ? null : toUsd(BigInt(limit as number | string));
}
