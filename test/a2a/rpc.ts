import type { Reply, TestPlatform } from '../harness.ts';

export const rpcCall = (method: string, params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

/** Sends a body to the interface of A2A. */
export const postRpc = (
  platform: TestPlatform,
  key: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  platform.request('POST /a2a', { ...(key && { key }), body: body as object, headers });
