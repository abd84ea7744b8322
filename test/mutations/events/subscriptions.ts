import type { Mutation } from '../mutation.ts';

/** What clients of MCP are told of: what they may see, and have asked for. */
export const SUBSCRIPTIONS: readonly Mutation[] = [
  {
    name: 'subscription_tells_of_other_orders',
    file: 'api/mcp/resources.ts',
    from: "object.kind === 'order' && object.id === Number(orderId)",
    to: "object.kind === 'order' && orderId !== undefined",
    tests: ['test/api/mcp/subscriptions.test.ts'],
    grep: 'of no other order',
  },
  {
    name: 'orders_of_others_are_subscribed_to',
    file: 'api/mcp/server.ts',
    from: 'await readResource(uri, (call) => callTool(context, invoke, source, call));',
    to: '',
    tests: ['test/api/mcp/subscriptions.test.ts'],
    grep: 'may not see',
  },
  {
    name: 'subscription_goes_on_when_it_has_ended',
    file: 'api/mcp/sse/subscriptions.ts',
    from: 'remove: (uri) => void uris.delete(uri),',
    to: 'remove: () => undefined,',
    tests: ['test/api/mcp/subscriptions.test.ts'],
    grep: 'end when',
  },
];
