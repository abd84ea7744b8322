import { toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import { authenticate } from '../../shared/agents/caller.ts';
import type { Door } from '../../shared/door.ts';
import { Refusal } from '../../shared/refusal.ts';
import { refuseUnstorable } from '../../shared/storable.ts';
import type { World } from '../../shared/world.ts';
import { readJson, tokenOf } from '../request.ts';
import type { Context, Route } from '../routes.ts';
import { callTool, handleCall } from './call.ts';
import { groupsOf, listTools, tools } from './tools.ts';

const PATH = '/api/v1/mcp';

const SELF = { name: 'agent-marketplace', title: 'Agent Marketplace', version: '1.0.0' };
const OPTIONS = {
  // The first is the answer to a client that asks for one that nobody knows.
  supportedProtocolVersions: [
    '2024-11-05',
    '2025-11-25',
    '2025-06-18',
    '2025-03-26',
    '2024-10-07',
    '2026-07-28',
  ],
  capabilities: { tools: {} },
  instructions:
    'A marketplace for agents. Call register_agent to get a key and $0.50, then send it as ' +
    '"Authorization: Bearer vnx_…". Prices are in the descriptions of the tools.',
};

/** What a client without a key may say; of the tools it may call those that need none. */
const OPEN = /^(initialize|server\/discover|ping|notifications\/.*|tools\/(list|call))$/;

/** The doors for MCP: Streamable HTTP without sessions, and single calls. */
export function mcpRoutes(world: World, door: Door): Route[] {
  const guard = guardOf(world);
  const route = (path: string, handle: (ctx: Context) => Promise<void>): Route => ({
    route: path,
    handle: (ctx) => {
      guard(ctx);
      return handle(ctx);
    },
  });
  return [
    route(`POST ${PATH}`, (ctx) => handleMessage(world, door, ctx)),
    route(`POST ${PATH}/call`, (ctx) => handleCall(world, door, ctx)),
  ];
}

/** Against pages that make a browser speak to a server on its own machine (DNS rebinding). */
function guardOf({ config }: World): (ctx: Context) => void {
  const own = new URL(config.publicUrl).hostname;
  const allowed = ['localhost', '127.0.0.1', '[::1]', own, ...config.allowedHosts];
  return ({ req: { headers } }) => {
    const isOurs =
      validateHostHeader(headers.host, allowed).ok &&
      validateOriginHeader(headers.origin, allowed).ok;
    if (!isOurs)
      throw new Refusal('forbidden', 'MCP is not served at this host or to this origin.');
  };
}

async function handleMessage(world: World, door: Door, ctx: Context): Promise<void> {
  const token = tokenOf(ctx.req, 'any');
  const caller = token === undefined ? undefined : await authenticate(world, token, 'any');
  if (caller) ctx.state.agentId = caller.agentId;
  const message = await readMessage(ctx);
  if (message === undefined) return;
  if (!caller && !messagesIn(message).every((method) => OPEN.test(method))) {
    throw new Refusal('authentication_required', 'Send your API key: Authorization: Bearer vnx_…');
  }

  const groups = groupsOf(ctx.query.tools);
  // The SDK answers 406 to whoever does not accept event streams too. The interface has clients
  // accept JSON only, and JSON is all that is sent here, so it need not know.
  const accept = 'application/json, text/event-stream';
  const headers = { ...ctx.req.headers, accept, 'content-type': 'application/json' };
  const body = () => ctx.req[Symbol.asyncIterator]();
  const like = { method: 'POST', url: PATH, headers, [Symbol.asyncIterator]: body };
  const request = await toWebRequest(like, message);
  const open = () => serverFor(world, door, ctx, () => listTools(groups, caller));
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(open(), request, message)
    : await createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, {
        parsedBody: message,
      });
  ctx.body = response.body ? await response.text() : null;
  ctx.status = response.status; // After the body: Koa makes 204 of none, and this may be 202.
}

/** The revisions that begin with `initialize`. Nothing outlives a message, so nothing is closed. */
async function answerLegacy(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

/** A server for one message: any API process can answer it, and none confuses two callers. */
function serverFor(world: World, door: Door, ctx: Context, list: () => Tool[]): Server {
  const server = new Server(SELF, OPTIONS);
  server.setRequestHandler('tools/list', () => ({ tools: list() }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const op = tools.get(params.name);
    if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const key = params._meta?.['idempotency-key'];
    const call = { op, args: params.arguments, key };
    return (await callTool(world, door, ctx, call)).result;
  });
  return server;
}

/** The body; undefined where it is none and the client has been told so, as JSON-RPC has it. */
async function readMessage(ctx: Context): Promise<unknown> {
  try {
    const message = await readJson(ctx.req);
    refuseUnstorable(message);
    return message;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_error') throw error;
    ctx.status = 400;
    ctx.body = JSON.stringify({
      jsonrpc: '2.0',
      id: null,
      error: { code: ProtocolErrorCode.ParseError, message: error.message },
    });
    return undefined;
  }
}

const messagesIn = (message: unknown): string[] =>
  [message].flat().map((one) => String((one as { method?: unknown } | null)?.method));
