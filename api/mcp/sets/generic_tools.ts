import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

import { accessRefusal } from '../../../shared/domains/agents/access.ts';
import type { Caller } from '../../../shared/kernel/caller.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { Input, invalid, parse, Text, Type } from '../../../shared/kernel/schema.ts';
import { argumentsIn, onlyOne, type Arguments } from '../../arguments/call_arguments.ts';
import { KEY_NAMES, keysInMeta } from '../../arguments/idempotency_keys.ts';
import { OF_CLIENTS } from '../calls/tool_arguments.ts';
import { noSuch, tools } from '../tool_names.ts';
import { findOperations } from './find.ts';
import { toolOf } from '../tool_schemas.ts';

/**
 * Four tools for all operations, for a model that should read 400 tokens of tools and not 20 000:
 * it finds an operation, reads how to call it, and calls it. Reading and changing are separate
 * tools, so that a client can allow reading without asking.
 */
const FOUND_MAX = 20;
const Name = Text(1, 64, 'Operation name, from find_operation.');
const Params = Type.Optional(
  Type.Object({}, { description: 'Input of the operation; see describe_operation.' }),
);

const INPUTS = {
  find_operation: Input({
    query: Text(1, 200, 'Your goal, in a few words.'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: FOUND_MAX,
        description: 'Maximum results; 5 if absent.',
      }),
    ),
  }),
  describe_operation: Input({ name: Name }),
  read_operation: Input({ name: Name, params: Params }),
  run_operation: Input({
    name: Name,
    params: Params,
    idempotency_key: Type.Optional(
      Text(1, 255, 'Text of your choice; a repeat with the same key has no effect.'),
    ),
  }),
} as const;
type Generic = keyof typeof INPUTS;

const tool = (name: Generic, title: string, description: string, isRead = true): Tool => ({
  name,
  title,
  description,
  inputSchema: INPUTS[name] as unknown as Tool['inputSchema'],
  annotations: {
    title,
    readOnlyHint: isRead,
    destructiveHint: !isRead,
    idempotentHint: isRead,
    openWorldHint: !isRead,
  },
});

export const GENERIC_TOOLS: readonly Tool[] = [
  tool(
    'find_operation',
    'Find an operation',
    'Finds what the marketplace can do for a task. Free.',
  ),
  tool(
    'describe_operation',
    'Describe an operation',
    'Tells the input, the answer and the price of an operation. Free.',
  ),
  tool('read_operation', 'Read', 'Calls an operation that changes nothing and costs nothing.'),
  tool(
    'run_operation',
    'Run',
    'Calls an operation that may change something or spend money, within the limits of this agent.',
    false,
  ),
];

export const isGeneric = (name: string): name is Generic => Object.hasOwn(INPUTS, name);

/** Calls the tool of this name, like the list of all tools does. */
export type CallNamed = (
  op: AnyOperation,
  args: unknown,
  keys?: readonly unknown[],
) => Promise<CallToolResult>;

/** Answers one of the four tools. The operation that it calls keeps its scopes and limits. */
export async function callGeneric(
  name: Generic,
  args: unknown,
  caller: Caller | undefined,
  call: CallNamed,
): Promise<CallToolResult> {
  const { [onlyOne(argumentsIn(args), PARAMS)]: params, ...sent } = ownOf(args);
  if (name === 'find_operation') {
    const { query, limit = 5 } = parse(INPUTS[name], sent);
    const found = findOperations(query, limit);
    return resultOf({ operations: found.map((op) => foundBy(caller, op)) });
  }
  if (name === 'describe_operation') {
    const op = operationOf(parse(INPUTS[name], sent).name);
    const { description, inputSchema, outputSchema } = toolOf(op, new Set(tools.values()));
    const calledBy = op.mode === 'read' ? 'read_operation' : 'run_operation';
    const input = inputSchema;
    return resultOf({
      name: op.name,
      called_by: calledBy,
      description,
      input,
      output: outputSchema,
    });
  }
  const op = operationOf(parse(CALLED, sent).name);
  if (name === 'read_operation' && op.mode !== 'read') {
    const message = 'changes something or costs money: call it by run_operation';
    throw invalid([{ pointer: '/name', message }]);
  }
  // The operation itself says what is wrong with its params.
  return call(op, params, keysInMeta(argumentsIn(args)));
}

/** Names in use for the input of the operation. */
const PARAMS = ['params', 'parameters', 'arguments', 'input'];
/** The input of read_operation and run_operation, without the operation's own. */
const CALLED = Input({ name: Name });

/** The arguments of the tool itself: without keys, and without what clients add. */
function ownOf(args: unknown): Arguments {
  const isOwn = (name: string) => ![...KEY_NAMES, ...OF_CLIENTS].includes(name);
  return Object.fromEntries(
    Object.entries(argumentsIn(args)).filter(([name, value]) => isOwn(name) && value !== null),
  );
}

function operationOf(name: string): AnyOperation {
  const op = tools.get(name);
  if (op) return op;
  const found = 'find_operation finds them.';
  throw new Refusal('not_found', noSuch('operation', name, tools.keys(), found));
}

/** An operation that was found; with the scopes that its caller lacks for it, if any. */
function foundBy(caller: Caller | undefined, op: AnyOperation) {
  const { name, mode, summary } = op;
  const refusal = caller && accessRefusal(caller, op);
  const calledBy = mode === 'read' ? 'read_operation' : 'run_operation';
  return {
    name,
    called_by: calledBy,
    summary,
    ...(refusal && { needs: needsOf(refusal) }),
  };
}

function needsOf({ code, message, details }: Refusal): string {
  if (code !== 'insufficient_scope') return message;
  const { required } = details as { required: readonly string[] };
  return `scope ${required.join(', ')}: ask your owner, or connect again with it`;
}

const resultOf = (answer: { [name: string]: unknown }): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});
