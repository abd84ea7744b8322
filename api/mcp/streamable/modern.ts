import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { toWebRequest } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';

import { withEscapes } from '../../../shared/kernel/text.ts';
import type { HttpContext } from '../../http/routes.ts';
import { withPlainError } from '../messages/plain_errors.ts';
import { withIdAsSent } from '../messages/request_ids.ts';
import { answerBad, messagesIn, type PostedBody } from '../messages/posted_body.ts';

/** Whether this is of revision 2026-07-28, which has its handshake in every message. */
export function isModern({ req: { headers } }: HttpContext, posted: PostedBody): boolean {
  const of = <K extends string>(field: K, name: string) =>
    headers[name] !== undefined && ({ [field]: String(headers[name]) } as Record<K, string>);
  const good = messagesIn(posted).filter((one) => !('bad' in one));
  if (good.length === 0) return false;
  const body = Array.isArray(posted) ? good : posted;
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...of('protocolVersionHeader', 'mcp-protocol-version'),
    ...of('mcpMethodHeader', 'mcp-method'),
    ...of('mcpNameHeader', 'mcp-name'),
  });
  return kind !== 'legacy';
}

/** Answers such a message, or refuses it if it breaks the rules of the revision. */
export async function answerModern(
  ctx: HttpContext,
  posted: PostedBody,
  open: () => Server,
): Promise<void> {
  if ('method' in posted && posted.method === 'subscriptions/listen') {
    const id = 'id' in posted ? posted.id : null;
    const none = 'There are no subscriptions: poll instead.';
    return answerBad(ctx, { code: ProtocolErrorCode.MethodNotFound, message: none, id }, 404);
  }
  // The SDK answers 406 to a client that accepts only JSON. Our interface allows that and sends
  // such a client only JSON, so the SDK sees another Accept.
  const accept = 'application/json, text/event-stream';
  const headers = { ...ctx.req.headers, accept, 'content-type': 'application/json' };
  const body = () => ctx.req[Symbol.asyncIterator]();
  const like = { method: 'POST', url: ctx.path, headers, [Symbol.asyncIterator]: body };
  const request = await toWebRequest(like, posted);
  const handler = createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 });
  const id = 'id' in posted ? posted.id : undefined;
  await send(ctx, await handler.fetch(request, { parsedBody: posted }), id);
}

async function send(ctx: HttpContext, response: Response, id: unknown): Promise<void> {
  const type = response.headers.get('content-type');
  if (response.body && type?.startsWith('text/event-stream')) {
    ctx.set({ 'Content-Type': type, 'X-Accel-Buffering': 'no' });
    ctx.body = Readable.from(escaped(response.body as ReadableStream<Uint8Array>));
  } else {
    const text = await response.text();
    const isError = text.includes('"error":{"code":');
    const reply = isError ? JSON.stringify(withPlainError(JSON.parse(text) as object)) : text;
    ctx.body = withIdAsSent(reply, id);
  }
  ctx.status = response.status;
}

/** The events of a stream, with hidden characters as escapes. */
async function* escaped(events: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder();
  for await (const bytes of events) yield withEscapes(utf8.decode(bytes, { stream: true }));
}
