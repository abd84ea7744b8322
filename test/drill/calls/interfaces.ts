import { isDeepStrictEqual } from 'node:util';

import { catalog } from '../../../shared/composition/catalog.ts';
import { CODES } from '../../../shared/kernel/refusal.ts';
import { restOf } from '../../access/interfaces.ts';
import { wholeOf } from '../../api/mcp/whole_text.ts';
import { headersOf, type Reply, type Sending } from './call.ts';
import type { CallByStream } from './stream.ts';

/** An answer that came as a whole and is not what the interface promises. */
export class UnreadableReply extends Error {}

const TIMEOUT_MS = 8_000;

/** Undefined, or an error that is no UnreadableReply: no answer came. */
/** The interfaces by which a client calls. */
export const interfacesOf = (callByStream: CallByStream) => ({
  REST: sendByRest,
  MCP: sendByMcp,
  'MCP tool call': sendToolCall,
  'MCP stream': async (sending: Sending) => {
    const message = await callByStream(sending, messageOf(sending));
    if (message === undefined) return undefined;
    return toolReplyOf(parsed(message).result, message);
  },
});
export type Interface = keyof ReturnType<typeof interfacesOf>;

/** REST alone offers what is for operators, and what a model should not do. */
export const isTool = (operation: string): boolean =>
  catalog.get(operation)!.bindings?.tool !== false && catalog.get(operation)!.access !== 'operator';

async function sendByRest({ base, call, requestId, wait }: Sending): Promise<Reply> {
  const { operation, input } = call;
  const rest = restOf({ route: catalog.get(operation)!.rest!, tool: operation, input });
  const [method, path] = rest.route.split(' ') as [string, string];
  const response = await fetch(base + path, {
    method,
    headers: {
      ...headersOf(call, requestId),
      ...(call.key && { 'idempotency-key': call.key }),
      ...(wait !== undefined && { prefer: `wait=${wait}` }),
    },
    ...(method === 'POST' && { body: JSON.stringify(rest.body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, text, body: parsed(text) };
}

async function sendToolCall({ base, call, requestId, wait }: Sending): Promise<Reply> {
  const params = { ...call.input, ...(wait !== undefined && { wait }) };
  const response = await fetch(`${base}/api/v1/mcp/call`, {
    method: 'POST',
    headers: {
      ...headersOf(call, requestId),
      ...(call.key && { 'idempotency-key': call.key }),
    },
    body: JSON.stringify({ tool: call.operation, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const body = parsed(text);
  const reply = body.content ? toolReplyOf(body, text) : { status: response.status, text, body };
  if (reply.status !== response.status) {
    throw new UnreadableReply(`a tool call was answered ${response.status} with ${text}`);
  }
  return reply;
}

async function sendByMcp(sending: Sending): Promise<Reply> {
  const { base, call, requestId } = sending;
  const response = await fetch(`${base}/api/v1/mcp`, {
    method: 'POST',
    headers: { ...headersOf(call, requestId), accept: 'application/json' },
    body: JSON.stringify(messageOf(sending)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const body = parsed(text);
  if (response.status !== 200) return { status: response.status, text, body };
  return toolReplyOf(body.result, text);
}

let id = 0;
/** The message that calls the tool. */
const messageOf = ({ call: { operation, input, key }, wait }: Sending) => ({
  jsonrpc: '2.0',
  id: (id += 1),
  method: 'tools/call',
  params: {
    name: operation,
    arguments: { ...input, ...(wait !== undefined && { wait }) },
    ...(key && { _meta: { 'idempotency-key': key } }),
  },
});

// oxlint-disable-next-line typescript/no-explicit-any -- clients read any answer
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableReply(`a body is no JSON: ${JSON.stringify(text)}`);
  }
}

/** The result of a tool with the status that REST would have answered. */
function toolReplyOf(
  result: { content: { text: string }[]; structuredContent?: object; isError?: true } | undefined,
  message: string,
): Reply {
  const [content] = result?.content ?? [];
  if (!content || !result?.structuredContent) {
    throw new UnreadableReply(`no result of a tool: ${message}`);
  }
  const body = parsed(content.text);
  if (!isDeepStrictEqual(wholeOf(body), result.structuredContent)) {
    throw new UnreadableReply(`text and structuredContent differ: ${message}`);
  }
  return replyOf(result.structuredContent as Reply['body'], result.isError);
}

function replyOf(body: Reply['body'], isError = false): Reply {
  const text = JSON.stringify(body);
  if (isError) return { status: CODES[body.error as keyof typeof CODES].status, text, body };
  // An answer of get_job may be pending too, and has no poll.
  const waits = ['pending', 'approval_required'].includes(body.status) && body.poll;
  return { status: waits ? 202 : 200, text, body };
}
