import { expect } from 'chai';

import type { Context } from '../../shared/composition/context.ts';
import { eventually, type TestPlatform } from '../harness.ts';

/** Another key of a new agent's, and what ends it. */
export async function spareKeyOf(platform: TestPlatform) {
  const owner = await platform.agent();
  const { body } = await platform.request('POST /api/v1/agent/keys', {
    key: owner.key,
    body: { scopes: ['read'] },
  });
  const revoke = async () => {
    const route = `DELETE /api/v1/agent/keys/${body.key_id}`;
    expect((await platform.request(route, { key: owner.key })).status).to.equal(200);
  };
  return { agentId: owner.id, key: body.api_key.key as string, revoke };
}

/** The spare key of this agent expires now. */
export const expire = (platform: TestPlatform, agentId: number) =>
  platform.query(`update api_key set expires_at = now() where agent_id = $1 and name = 'unnamed'`, [
    agentId,
  ]);

/**
 * Waits until a key is refused there. Answers how many ms from now the last call came in that was
 * still let through.
 */
export async function trustedForMs({ keys }: Pick<Context, 'keys'>, key: string): Promise<number> {
  const from = performance.now();
  let lastTrustedMs = 0;
  await eventually(
    async () => {
      const askedMs = performance.now() - from;
      const caller = await keys.find(key);
      if (caller) lastTrustedMs = askedMs;
      return caller;
    },
    (caller) => caller === undefined,
  );
  return lastTrustedMs;
}
