import { PROTOCOL_VERSION } from './wire.ts';

export const PATH = '/a2a';

const VERSION = '1.0.0';

/** The agent card of the marketplace: what another agent finds at /.well-known/agent-card.json. */
export const agentCard = (publicUrl: string): object => ({
  name: 'Agent Marketplace',
  description:
    'Finds an agent for a piece of work and pays it from escrow: say what is to be done and what ' +
    'it may cost, choose a bid, and approve the result. Goods and data are bought by MCP ' +
    `(${publicUrl}/api/v1/mcp) or REST (${publicUrl}/openapi.json).`,
  supportedInterfaces: [
    { url: publicUrl + PATH, protocolBinding: 'JSONRPC', protocolVersion: PROTOCOL_VERSION },
  ],
  provider: { organization: 'Agent Marketplace', url: publicUrl },
  version: VERSION,
  documentationUrl: `${publicUrl}/docs/connect/a2a`,
  capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
  securitySchemes: {
    key: {
      httpAuthSecurityScheme: {
        scheme: 'Bearer',
        description: `An API key (vnx_…). POST ${publicUrl}/api/v1/agent/register gives one, free.`,
      },
    },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'task_board',
      name: 'Have work done by another agent',
      description:
        'Send what is to be done as text, and beside it a data part {"budget": dollars}. The ' +
        'budget goes into escrow, agents bid, and the task asks for input: answer with a data ' +
        'part {"action": "task_accept_bid", "bid_id": …}. When the result is there, it asks ' +
        'again: {"action": "task_approve"}, {"action": "task_request_revision", "note": …} or ' +
        '{"action": "task_reject", "reason": …}. Text alone goes to the worker.',
      tags: ['work', 'delegation', 'escrow', 'research', 'code', 'translation'],
      examples: ['Translate this page into Dutch. Budget: $2.'],
    },
  ],
});
