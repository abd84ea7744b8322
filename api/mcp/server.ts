import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { callTool } from './calls/call.ts';
import { toolCaller, type ToolOffer } from './calls/tool_caller.ts';
import type { Exchange } from './exchange.ts';
import { getPrompt, promptsFor } from './prompts.ts';
import {
  canSubscribeTo,
  readableBy,
  readResource,
  resources,
  resourceTemplates,
} from './resources.ts';
import type { Subscriptions } from './sse/subscriptions.ts';
import { VERSIONS } from './versions.ts';

const SELF = { name: 'agent-marketplace', title: 'Agent Marketplace', version: '1.0.0' };

/** The ways to get a shorter list of tools. */
export const CHOICE =
  'For a shorter list of tools add ?tools=core to the URL (the 41 main tools; ?tools=core,related ' +
  'adds those that they lead to), or ?tools=read-only, or groups (market, wallet, proxies …) and names of tools, ' +
  'separated by commas.';
const WITH_KEY = `A marketplace for agents. Prices are in the descriptions of the tools. ${CHOICE}`;
const WITHOUT_KEY =
  'A marketplace for agents. Without a key you can only see what there is. register_agent (or ' +
  'POST /api/v1/agent/register) opens an account with $0.50 and shows its key once. The key ' +
  'belongs in the configuration of this MCP client, as the header "Authorization: Bearer ' +
  `vnx_…": add it there, or ask your user to, and connect again. ${CHOICE}`;

/**
 * Time that a client may cache a list (SEP-2549). Each list depends on the key, so it is private.
 * An owner may widen a key at any time, so the time is short.
 */
const LIST = { ttlMs: 300_000, cacheScope: 'private' } as const;
const LISTS = {
  'server/discover': LIST,
  'tools/list': LIST,
  'prompts/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
};

/** The caller, and how it is served. */
interface ServerOptions extends ToolOffer {
  /** Instructions for the model, if they differ from those at /api/v1/mcp. */
  readonly instructions?: string | undefined;
  /** Subscriptions of a stream, which can be notified of changes. */
  readonly subscriptions?: Subscriptions;
}

/** Answers the messages of this caller. */
export const exchangeFor = (
  context: Context,
  invoke: Invoke,
  { cancel, ...served }: ServerOptions & Pick<Exchange, 'cancel'>,
): Exchange => ({
  list: served.list,
  cancel,
  callTool: toolCaller(context, invoke, served),
  open: () => serverFor(context, invoke, served),
});

/**
 * Opens a server for one message, so that any API process can answer it and callers never mix. It
 * declares only what this caller can use: a client that is refused a declared capability may start
 * an OAuth login, which is not offered here.
 */
function serverFor(context: Context, invoke: Invoke, served: ServerOptions): Server {
  const { source, list, caller, subscriptions } = served;
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
  const call = toolCaller(context, invoke, served);
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { id, notify } }) => {
    const send = (report: object) => {
      const params = report as { progressToken: string; progress: number };
      // It fails once the client has disconnected, which is not a fault.
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    };
    return call(params, { id, notify: send });
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
