import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';

/**
 * Revokes a key at the first of these APIs, and waits until each of them refuses it. Answers how
 * many ms later the last call was sent that one of them still accepted.
 */
export async function acceptedForMs(
  platform: TestPlatform,
  apis: readonly { url: string }[],
): Promise<number> {
  const owner = await platform.agent();
  const { body: created } = await platform.request('POST /api/v1/agent/keys', {
    key: owner.key,
    body: { name: 'short', scopes: ['read'] },
  });
  const headers = { authorization: `Bearer ${created.api_key.key}` };
  const statuses = () =>
    Promise.all(
      apis.map(async ({ url }) => (await fetch(`${url}/api/v1/wallet`, { headers })).status),
    );
  expect(new Set(await statuses())).to.deep.equal(new Set([200]));
  const revoked = await fetch(`${apis[0]!.url}/api/v1/agent/keys/${created.key_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.key}` },
  });
  expect(revoked.status).to.equal(200);
  const revokedAt = performance.now();
  let lastAcceptedAt = revokedAt;
  await eventually(
    async () => {
      const sentAt = performance.now();
      const answers = await statuses();
      if (answers.includes(200)) lastAcceptedAt = sentAt;
      return answers;
    },
    (answers) => answers.every((status) => status === 401),
  );
  return lastAcceptedAt - revokedAt;
}
