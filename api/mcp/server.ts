import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { callTool, type MessageSource } from './call.ts';
import { getPrompt, prompts } from './prompts.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import { tools, type ToolList } from './tools.ts';

const SELF = { name: 'agent-marketplace', title: 'Agent Marketplace', version: '1.0.0' };

/** The first is the answer to a client that asks for an unknown version. */
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

/** A server for one message, so that any API process can answer it and no two callers are mixed. */
export function serverFor(
  context: Context,
  invoke: Invoke,
  source: MessageSource,
  list: () => ToolList,
): Server {
  const server = new Server(SELF, OPTIONS);
  server.setRequestHandler('tools/list', () => ({ tools: list().tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const op = tools.get(params.name);
    if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const { progressToken, 'idempotency-key': key } = params._meta ?? {};
    const call = { op, args: params.arguments, key, id: mcpReq.id };
    if (progressToken === undefined || !source.takesProgress)
      return (await callTool(context, invoke, source, call)).result;

    const onProgress = (progress: object) => {
      const report = { progressToken, ...progress } as { progressToken: string; progress: number };
      // It fails after the client has disconnected, which is no fault.
      mcpReq.notify({ method: 'notifications/progress', params: report }).catch(() => undefined);
    };
    return (await callTool(context, invoke, source, { ...call, onProgress })).result;
  });
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(params.uri, (call) => callTool(context, invoke, source, call)),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params));
  return server;
}
