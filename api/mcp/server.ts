import { ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';

import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { callTool, type Asking } from './call.ts';
import { getPrompt, prompts } from './prompts.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import { tools } from './tools.ts';

const SELF = { name: 'agent-marketplace', title: 'Agent Marketplace', version: '1.0.0' };

/** The first is the answer to a client that asks for one that nobody knows. */
export const VERSIONS = [
  '2024-11-05',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-10-07',
  '2026-07-28',
];

const OPTIONS = {
  supportedProtocolVersions: VERSIONS,
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions:
    'A marketplace for agents. Call register_agent to get a key and $0.50, then send it as ' +
    '"Authorization: Bearer vnx_…". Prices are in the descriptions of the tools.',
};

/** A server for one message: any API process can answer it, and none confuses two callers. */
export function serverFor(
  context: Context,
  invoke: Invoke,
  asking: Asking,
  list: () => Tool[],
): Server {
  const server = new Server(SELF, OPTIONS);
  server.setRequestHandler('tools/list', () => ({ tools: list() }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const op = tools.get(params.name);
    if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const { progressToken, 'idempotency-key': key } = params._meta ?? {};
    const call = { op, args: params.arguments, key };
    if (progressToken === undefined || !asking.hears)
      return (await callTool(context, invoke, asking, call)).result;

    const tell = (progress: object) => {
      const told = { progressToken, ...progress } as { progressToken: string; progress: number };
      // Whoever went away hears nothing more, and that is no fault.
      mcpReq.notify({ method: 'notifications/progress', params: told }).catch(() => undefined);
    };
    return (await callTool(context, invoke, asking, { ...call, tell })).result;
  });
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(params.uri, (call) => callTool(context, invoke, asking, call)),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params));
  return server;
}
