import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

import type { Caller } from '../../shared/agents/caller.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { PAYMENT_META } from '../x402/tool_payments.ts';
import { callTool, toolRefusal, type MessageSource } from './calls/call.ts';
import { keysInMeta } from './calls/tool_arguments.ts';
import { getPrompt, promptsFor } from './prompts.ts';
import {
  canSubscribeTo,
  readableBy,
  readResource,
  resources,
  resourceTemplates,
} from './resources.ts';
import { callGeneric, isGeneric, type CallNamed } from './sets/generic_tools.ts';
import type { Subscriptions } from './sse/subscriptions.ts';
import { tools } from './tool_names.ts';
import type { ToolList } from './tools.ts';
import { VERSIONS } from './versions.ts';

const SELF = { name: 'agent-marketplace', title: 'Agent Marketplace', version: '1.0.0' };

/** How a client gets a shorter list of tools. */
export const CHOICE =
  'For a shorter list of tools add ?tools=core to the URL (the main tools and those that they ' +
  'lead to), or ?tools=read-only, or groups (market, wallet, proxies …) and names of tools, ' +
  'separated by commas.';
const WITH_KEY = `A marketplace for agents. Prices are in the descriptions of the tools. ${CHOICE}`;
const WITHOUT_KEY =
  'A marketplace for agents. Without a key you can only see what there is. register_agent (or ' +
  'POST /api/v1/agent/register) opens an account with $0.50 and shows its key once. The key ' +
  'belongs into the configuration of this MCP client, as the header "Authorization: Bearer ' +
  `vnx_…": add it there, or ask your user to, and connect again. ${CHOICE}`;

/**
 * How long a client may keep a list (SEP-2549). Each depends on the key, so it is nobody else's;
 * and an owner may widen a key at any time, so it is not kept for long.
 */
const LIST = { ttlMs: 300_000, cacheScope: 'private' } as const;
const LISTS = {
  'server/discover': LIST,
  'tools/list': LIST,
  'prompts/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
};

/** Who is served, and how. */
export interface Served {
  readonly source: MessageSource;
  readonly list: () => ToolList;
  /** Undefined: there was no key. */
  readonly caller: Caller | undefined;
  /** What the model is told first, where that is not what is told at /api/v1/mcp. */
  readonly instructions?: string | undefined;
  /** Whether the tools that call every operation are there. */
  readonly hasGeneric?: boolean | undefined;
  /** Of a stream, which can be told of changes. */
  readonly subscriptions?: Subscriptions;
}

/**
 * A server for one message, so that any API process can answer it and no two callers are mixed. It
 * declares only what this caller can use: a client that is refused what was declared may begin to
 * log in by OAuth, which is not offered.
 */
export function serverFor(context: Context, invoke: Invoke, served: Served): Server {
  const { source, list, caller, subscriptions, hasGeneric } = served;
  const prompts = caller ? promptsFor(caller, list()) : [];
  const server = new Server(SELF, {
    supportedProtocolVersions: VERSIONS,
    capabilities: {
      tools: {},
      ...(caller && { resources: subscriptions ? { subscribe: true } : {} }),
      ...(prompts.length > 0 && { prompts: {} }),
    },
    instructions: served.instructions ?? (caller ? WITH_KEY : WITHOUT_KEY),
    cacheHints: LISTS,
  });
  server.setRequestHandler('tools/list', () => ({ tools: list().tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const meta = params._meta ?? {};
    const { progressToken, [PAYMENT_META]: sent } = meta;
    const payment = sent === undefined ? undefined : () => sent;
    const onProgress = (progress: object) => {
      const report = { progressToken, ...progress } as { progressToken: string; progress: number };
      // It fails after the client has disconnected, which is no fault.
      mcpReq.notify({ method: 'notifications/progress', params: report }).catch(() => undefined);
    };
    const told = progressToken !== undefined && source.takesProgress ? { onProgress } : {};
    const run: CallNamed = async (op, args, inner) => {
      const keys = [inner, source.key, ...keysInMeta(meta)];
      const call = { op, args, keys, payment, id: mcpReq.id, ...told };
      return (await callTool(context, invoke, source, call)).result;
    };
    if (hasGeneric && isGeneric(params.name)) {
      const answer = callGeneric(params.name, params.arguments, caller, run);
      return answer.catch((error: unknown) => toolRefusal(context, source.state, error).result);
    }
    const op = tools.get(params.name);
    if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    return run(op, params.arguments);
  });
  if (!caller) return server;

  server.setRequestHandler('resources/list', () => ({ resources: readableBy(caller, resources) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: readableBy(caller, resourceTemplates),
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(params.uri, (call) => callTool(context, invoke, source, call)),
  );
  if (subscriptions) {
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (!canSubscribeTo(uri)) throw notSubscribable(uri);
      await readResource(uri, (call) => callTool(context, invoke, source, call));
      await subscriptions.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscriptions.remove(uri);
      return {};
    });
  }
  if (prompts.length === 0) return server;

  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(caller, list(), params));
  return server;
}

const notSubscribable = (uri: string) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${uri} cannot be subscribed to: only marketplace://events and marketplace://orders/{id} can.`,
  );
