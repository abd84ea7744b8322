import { openApi } from '../../api/docs/openapi.ts';
import type { Reply, TestPlatform } from '../harness.ts';

/** Requests the document. Throws why it cannot be made, which a caller is not told. */
export async function openApiReply(platform: TestPlatform): Promise<Reply> {
  const reply = await platform.request('GET /openapi.json');
  if (reply.status !== 200) openApi(platform.config);
  return reply;
}
