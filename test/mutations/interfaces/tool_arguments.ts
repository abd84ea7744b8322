import type { Mutation } from '../mutation.ts';

/** What tools make of arguments that they do not know, and of idempotency keys. */
export const TOOL_ARGUMENTS: readonly Mutation[] = [
  {
    name: 'tool_that_writes_leaves_out_what_it_does_not_know',
    file: 'api/mcp/calls/call.ts',
    from: "dropUnknown: op.mode === 'read',",
    to: 'dropUnknown: true,',
    tests: ['test/api/mcp/tool_arguments.test.ts'],
  },
  {
    name: 'call_drops_what_stands_beside_its_arguments',
    file: 'api/mcp/calls/tool_arguments.ts',
    from: "if (op.mode !== 'read' && strays.length > 0) {",
    to: "if (op.mode === 'read' && strays.length > 100) {",
    tests: ['test/api/mcp/tool_arguments.test.ts'],
  },
  {
    name: 'request_id_is_dropped',
    file: 'api/mcp/calls/tool_arguments.ts',
    from: ' ?? oneOf(requestIds.filter(isGiven), REQUEST_ID)',
    to: '',
    tests: ['test/api/mcp/tool_arguments.test.ts'],
  },
  {
    name: 'two_idempotency_keys_are_one_of_them',
    file: 'api/mcp/calls/tool_arguments.ts',
    from: 'if (keys.every((one) => one === first)) return first;',
    to: 'if (keys.length >= 0) return first;',
    tests: ['test/api/mcp/tool_arguments.test.ts'],
  },
  {
    name: 'read_does_not_say_what_it_ignored',
    file: 'api/mcp/calls/tool_arguments.ts',
    from: 'if (ignored.length === 0) return answer;',
    to: 'if (ignored.length >= 0) return answer;',
    tests: ['test/api/mcp/tool_arguments.test.ts'],
  },
];
