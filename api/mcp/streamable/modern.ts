import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { toWebRequest } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';

import type { HttpContext } from '../../http/routes.ts';
import { answerBad, type Posted } from '../messages.ts';

/** Whether this is of the revision of 2026-07-28, which has its handshake in every message. */
export function isModern({ req: { headers } }: HttpContext, posted: Posted): boolean {
  const of = <K extends string>(field: K, name: string) =>
    headers[name] !== undefined && ({ [field]: String(headers[name]) } as Record<K, string>);
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    body: posted,
    ...of('protocolVersionHeader', 'mcp-protocol-version'),
    ...of('mcpMethodHeader', 'mcp-method'),
    ...of('mcpNameHeader', 'mcp-name'),
  });
  return kind !== 'legacy';
}

/** Answers it, or refuses it where it breaks the rules of that revision. */
export async function answerModern(
  ctx: HttpContext,
  posted: Posted,
  open: () => Server,
): Promise<void> {
  if ('method' in posted && posted.method === 'subscriptions/listen') {
    const id = 'id' in posted ? posted.id : null;
    const none = 'There are no subscriptions: ask again when you need to know.';
    return answerBad(ctx, { code: ProtocolErrorCode.MethodNotFound, message: none, id }, 404);
  }
  // The SDK answers 406 to a client that accepts JSON only. Our interface allows that, and such a
  // client is sent JSON only, so the SDK sees another Accept.
  const accept = 'application/json, text/event-stream';
  const headers = { ...ctx.req.headers, accept, 'content-type': 'application/json' };
  const body = () => ctx.req[Symbol.asyncIterator]();
  const like = { method: 'POST', url: ctx.path, headers, [Symbol.asyncIterator]: body };
  const request = await toWebRequest(like, posted);
  const handler = createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 });
  await send(ctx, await handler.fetch(request, { parsedBody: posted }));
}

async function send(ctx: HttpContext, response: Response): Promise<void> {
  const type = response.headers.get('content-type');
  if (response.body && type?.startsWith('text/event-stream')) {
    ctx.set({ 'Content-Type': type, 'X-Accel-Buffering': 'no' });
    ctx.body = Readable.fromWeb(response.body as ReadableStream);
  } else {
    ctx.body = await response.text();
  }
  ctx.status = response.status;
}
