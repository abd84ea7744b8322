import { setTimeout as sleep } from 'node:timers/promises';

import type { TestPlatform } from '../harness.ts';
import { callByStream, type Reply } from './stream.ts';

/** The interfaces. What an actor may not do, it may do by none of them. */
export const INTERFACES = ['REST', 'MCP tools/call', 'MCP by stream', '/api/v1/mcp/call'] as const;
export type Interface = (typeof INTERFACES)[number];

interface TestCall {
  /** A route as in REST: `POST /api/v1/orders/:order_id`. */
  readonly route: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface CallResult {
  /** The code of the refusal; "ok": there was none; "no such tool". */
  readonly code: string;
  /** The HTTP status; undefined: a tool's result has none. */
  readonly status: number | undefined;
  /** The result, or the whole refusal. */
  readonly body: Record<string, unknown>;
}

/** Errors by which a busy API sends a caller away for a moment. */
const BUSY: readonly string[] = ['service_unavailable', 'queue_overloaded'];
/** Time of the header Retry-After of each such answer. */
const RETRY_MS = 1_000;
const ATTEMPTS_MAX = 20;

/**
 * A call by one interface, made again where the API is too busy, as any client would.
 * `authorization` is the whole header, if any.
 */
export async function callBy(
  ...args: readonly [
    platform: TestPlatform,
    by: Interface,
    call: TestCall,
    authorization: string | undefined,
  ]
): Promise<CallResult> {
  for (let attempts = 1; ; attempts += 1) {
    const result = await callOnce(...args);
    if (!BUSY.includes(result.code) || attempts === ATTEMPTS_MAX) return result;
    await sleep(RETRY_MS);
  }
}

async function callOnce(
  platform: TestPlatform,
  by: Interface,
  call: TestCall,
  authorization: string | undefined,
): Promise<CallResult> {
  const headers = authorization === undefined ? {} : { authorization };
  if (by === 'REST') {
    const { route, body } = restOf(call);
    return resultOf(await platform.request(route, { headers, ...(body && { body }) }));
  }

  const { tool, input } = call;
  if (by === '/api/v1/mcp/call') {
    const body = { tool, params: input };
    const reply = await platform.request('POST /api/v1/mcp/call', { headers, body });
    return resultOf({ ...reply, body: reply.body.structuredContent });
  }
  const params = { name: tool, arguments: input };
  if (by === 'MCP by stream') return toolResultOf(await callByStream(platform, headers, params));
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const reply = await platform.request('POST /api/v1/mcp', { headers, body });
  return toolResultOf({ ...reply, status: reply.status === 200 ? undefined : reply.status });
}

/** The result of a tool call. It has a status only if the message itself was refused. */
function toolResultOf({ status, body }: Reply): CallResult {
  if (status !== undefined) return resultOf({ status, body: body.error.data ?? body });
  if (body.error) return { code: 'no such tool', status, body: body.error };
  const { structuredContent, isError = false } = body.result;
  if (isError !== (structuredContent.success === false)) throw new Error('isError is wrong');
  return resultOf({ status, body: structuredContent });
}

const resultOf = ({ status, body }: Reply): CallResult => ({
  code: body?.success === false ? body.error : 'ok',
  status,
  body,
});

/** Fields that REST names otherwise than the tool. */
const REST_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  spawn_agent: { name: 'agent_name' },
};

export const restName = (tool: string, field: string): string => REST_NAMES[tool]?.[field] ?? field;

export const inWordsOfRest = (tool: string, input: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [restName(tool, name), value as unknown]),
  );

/** The input as REST takes it: in the path, and the rest in the query of a GET or in the body. */
export function restOf({ route, tool, input }: TestCall): { route: string; body?: object } {
  const rest = inWordsOfRest(tool, input);
  const filled = route.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (!route.startsWith('GET')) return { route: filled, body: rest };
  const query = new URLSearchParams(rest as Record<string, string>).toString();
  return { route: query ? `${filled}?${query}` : filled };
}
