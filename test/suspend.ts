import { randomUUID } from 'node:crypto';

import { perform } from '../shared/performing/perform.ts';
import { suspendAgent } from '../shared/domains/policies/suspend_agent.ts';
import type { TestPlatform } from './harness.ts';
import { callerAbove } from './policy.ts';

/** Suspends an agent, as the root of its tree would. */
export async function suspend(
  platform: Pick<TestPlatform, 'query' | 'context'>,
  { id }: { readonly id: number },
): Promise<void> {
  const call = {
    caller: await callerAbove(platform, id),
    key: randomUUID(),
    now: platform.context.clock.now(),
    requestId: 'test',
  };
  await perform(platform.context, suspendAgent, { agent_id: id }, call);
}
