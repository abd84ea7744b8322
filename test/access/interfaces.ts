import type { TestPlatform } from '../harness.ts';
import { callByStream, type Told } from './stream.ts';

/** The ways in. Whoever may not do something may do it by none of them. */
export const DOORS = ['REST', 'MCP tools/call', 'MCP by stream', '/api/v1/mcp/call'] as const;
export type Invoke = (typeof DOORS)[number];

export interface Called {
  /** As REST names it: `POST /api/v1/orders/:order_id`. */
  readonly route: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Heard {
  /** The code of the refusal; "ok" where there was none; "no such tool". */
  readonly code: string;
  /** The HTTP status; of a tool's result none is told. */
  readonly status: number | undefined;
  /** The result, or the whole refusal. */
  readonly body: Record<string, unknown>;
}

/** One call by one door. `authorization` is the whole header, if any. */
export async function knock(
  platform: TestPlatform,
  door: Invoke,
  called: Called,
  authorization: string | undefined,
): Promise<Heard> {
  const headers = authorization === undefined ? {} : { authorization };
  if (door === 'REST') {
    const { route, body } = restOf(called);
    return heard(await platform.request(route, { headers, ...(body && { body }) }));
  }

  const { tool, input } = called;
  if (door === '/api/v1/mcp/call') {
    const body = { tool, params: input };
    const reply = await platform.request('POST /api/v1/mcp/call', { headers, body });
    return heard({ ...reply, body: reply.body.structuredContent });
  }
  const params = { name: tool, arguments: input };
  if (door === 'MCP by stream') return answered(await callByStream(platform, headers, params));
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const reply = await platform.request('POST /api/v1/mcp', { headers, body });
  return answered({ ...reply, status: reply.status === 200 ? undefined : reply.status });
}

/** What a tool call heard; a status is that of a refusal of the message itself. */
function answered({ status, body }: Told): Heard {
  if (status !== undefined) return heard({ status, body });
  if (body.error) return { code: 'no such tool', status, body: body.error };
  const { structuredContent, isError = false } = body.result;
  if (isError !== (structuredContent.success === false)) throw new Error('isError is not so');
  return heard({ status, body: structuredContent });
}

const heard = ({ status, body }: Told): Heard => ({
  code: body?.success === false ? body.error : 'ok',
  status,
  body,
});

/** The input as REST has it: in the path, then in the query of a GET or else in the body. */
function restOf({ route, input }: Called): { route: string; body?: object } {
  const rest: Record<string, unknown> = { ...input };
  const filled = route.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (!route.startsWith('GET')) return { route: filled, body: rest };
  const query = new URLSearchParams(rest as Record<string, string>).toString();
  return { route: query ? `${filled}?${query}` : filled };
}
