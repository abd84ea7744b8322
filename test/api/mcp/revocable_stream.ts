import { eventually, type TestPlatform } from '../../harness.ts';
import { openStream, pathOf } from './sse_client.ts';

/** A stream, and the function that revokes its key. */
export async function openRevocable(platform: TestPlatform) {
  const owner = await platform.agent();
  const key = await platform.keyOf(owner, ['read']);
  const stream = await eventually(
    () => openStream(platform.url, key),
    ({ status }) => status === 200,
  );
  const path = await pathOf(stream);
  const { body } = await platform.request('GET /api/v1/agent/keys', owner);
  const { key_id } = body.keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1);
  const revoke = () => platform.request(`DELETE /api/v1/agent/keys/${key_id}`, owner);
  return { key, stream, path, revoke };
}
