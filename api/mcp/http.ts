import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

import { authenticate } from '../../shared/agents/authenticate.ts';
import type { Caller } from '../../shared/agents/caller.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { Permit } from '../../shared/platform/limiter.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Lifecycle } from '../http/health.ts';
import { tokenOf } from '../http/request.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { handleCall, sourceOf } from './call.ts';
import { guarded } from './guard.ts';
import { asksProgress, methodsIn, readMessage } from './messages.ts';
import { serverFor } from './server.ts';
import { sseInterface } from './sse/sse.ts';
import { groupsOf, listTools } from './tools.ts';

export const PATH = '/api/v1/mcp';

/** The methods for clients without a key; of the tools they may call those that need none. */
const PUBLIC_METHODS = /^(initialize|server\/discover|ping|notifications\/.*|tools\/(list|call))$/;

/** MCP by Streamable HTTP without sessions, by single calls, and by HTTP with SSE. */
export function mcpRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): Route[] {
  const route = guarded(context);
  const { open, post } = sseInterface(context, invoke, lifecycle, `${PATH}/messages`);
  return [
    route(`POST ${PATH}`, (ctx) => handleMessage(context, invoke, ctx)),
    route(`POST ${PATH}/call`, (ctx) => handleCall(context, invoke, ctx)),
    route(`GET ${PATH}/sse`, open),
    route(`POST ${PATH}/messages`, post),
  ];
}

async function handleMessage(context: Context, invoke: Invoke, ctx: HttpContext): Promise<void> {
  const token = tokenOf(ctx.req, 'any');
  const caller = token === undefined ? undefined : await authenticate(context, token, 'any');
  if (caller) ctx.state.agentId = caller.agentId;
  const message = await readMessage(ctx);
  if (message === undefined) return;
  if (!caller && !methodsIn(message).every((method) => PUBLIC_METHODS.test(method))) {
    throw new Refusal('authentication_required', 'Send your API key: Authorization: Bearer vnx_…');
  }

  // Reading a message is work already. The calls of a batch have a permit each.
  const permit = new Permit(context.limiters.calls);
  permit.acquire();
  if (!Array.isArray(message)) ctx.state.permit = permit;
  try {
    await answerMessage(context, invoke, ctx, { message, caller });
  } finally {
    permit.release();
  }
}

async function answerMessage(
  context: Context,
  invoke: Invoke,
  ctx: HttpContext,
  { message, caller }: { message: unknown; caller: Caller | undefined },
): Promise<void> {
  const groups = groupsOf(ctx.query.tools);
  const accepted = ctx.req.headers.accept ?? '';
  // A stream costs more than a body, so it is only for clients that accept one and want progress.
  const streams = accepted.includes('text/event-stream') && asksProgress(message);
  // The SDK answers 406 to a client that accepts JSON only. Our interface allows that, and such a
  // client is sent JSON only, so the SDK sees another Accept.
  const accept = 'application/json, text/event-stream';
  const headers = { ...ctx.req.headers, accept, 'content-type': 'application/json' };
  const body = () => ctx.req[Symbol.asyncIterator]();
  const like = { method: 'POST', url: PATH, headers, [Symbol.asyncIterator]: body };
  const request = await toWebRequest(like, message);
  const open = () =>
    serverFor(context, invoke, sourceOf(ctx, streams), () => listTools(groups, caller));
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(open(), request, { message, streams })
    : await createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, {
        parsedBody: message,
      });
  await send(ctx, response);
}

/**
 * The revisions that begin with `initialize`. No state outlives a message, so nothing is closed.
 */
async function answerLegacy(
  server: Server,
  request: Request,
  { message, streams }: { message: unknown; streams: boolean },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

async function send(ctx: HttpContext, response: Response): Promise<void> {
  const type = response.headers.get('content-type');
  if (response.body && type?.startsWith('text/event-stream')) {
    ctx.set({ 'Content-Type': type, 'X-Accel-Buffering': 'no' });
    ctx.body = Readable.fromWeb(response.body as ReadableStream);
  } else {
    ctx.body = response.body ? await response.text() : null;
  }
  ctx.status = response.status; // After the body: Koa sets 204 for no body, and this may be 202.
}
