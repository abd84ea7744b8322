import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

import type { Caller } from '../../../shared/agents/caller.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { Input, invalid, parse, Text, Type } from '../../../shared/kernel/schema.ts';
import { tools } from '../tool_names.ts';
import { toolOf } from '../tool_schemas.ts';
import { allows } from '../tools.ts';

/**
 * Four tools for all operations, for a model that should read 400 tokens of tools and not 20 000:
 * it looks for an operation, reads how to call it, and calls it. Reading and changing are two
 * tools, so that a client may allow the first without asking.
 */
const FOUND_MAX = 20;
const Name = Text(1, 64, 'Of an operation, from find_operation.');
const Params = Type.Optional(
  Type.Object({}, { description: 'Its input, as describe_operation says.' }),
);

const INPUTS = {
  find_operation: Input({
    query: Text(1, 200, 'What you want to do, in a few words.'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: FOUND_MAX, description: 'How many; 5 if absent.' }),
    ),
  }),
  describe_operation: Input({ name: Name }),
  read_operation: Input({ name: Name, params: Params }),
  run_operation: Input({
    name: Name,
    params: Params,
    idempotency_key: Type.Optional(
      Text(1, 255, 'Of your choice: a repeat with the same one is not done twice.'),
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

/** Calls the tool of this name, as the list of all tools offers it. */
export type CallNamed = (op: AnyOperation, args: unknown, key?: string) => Promise<CallToolResult>;

/** Answers one of the four. What it calls has its own scopes, limits and refusals. */
export async function callGeneric(
  name: Generic,
  args: unknown,
  caller: Caller | undefined,
  call: CallNamed,
): Promise<CallToolResult> {
  const mayUse = (op: AnyOperation) => allows(caller, op);
  if (name === 'find_operation') {
    const { query, limit = 5 } = parse(INPUTS[name], args ?? {}, { dropUnknown: true });
    return resultOf({ operations: find(query, [...tools.values()].filter(mayUse), limit) });
  }
  if (name === 'describe_operation') {
    const { name: wanted } = parse(INPUTS[name], args ?? {}, { dropUnknown: true });
    const op = operationOf(wanted);
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
  const given = parse(INPUTS.run_operation, args ?? {}, { dropUnknown: true });
  const op = operationOf(given.name);
  if (name === 'read_operation' && op.mode !== 'read') {
    const message = 'changes something or costs money: call it by run_operation';
    throw invalid([{ pointer: '/name', message }]);
  }
  return call(op, paramsOf(args), given.idempotency_key);
}

/** As they were sent: the operation itself says what is wrong with them. */
const paramsOf = (args: unknown): unknown => (args as { params?: unknown }).params ?? {};

function operationOf(name: string): AnyOperation {
  const op = tools.get(name);
  if (op) return op;
  throw new Refusal('not_found', 'There is no such operation. find_operation finds them.');
}

/** Those whose texts have most of the words, a word of the name counting more. */
function find(query: string, among: readonly AnyOperation[], limit: number) {
  const words = stemsOf(query);
  const scored = among.map((op) => {
    const inName = stemsOf(`${op.name} ${op.title}`);
    const inText = stemsOf(`${op.summary} ${op.domain}`);
    const score = words.reduce(
      (sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inText.includes(word) ? 1 : 0),
      0,
    );
    return { op, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ op: { name, mode, summary } }) => ({
      name,
      called_by: mode === 'read' ? 'read_operation' : 'run_operation',
      summary,
    }));
}

/** Words without their endings, near enough: buys, buying and buy are one. */
const stemsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(ing|es|ed|s)$/, '') : word,
  );

const resultOf = (answer: { [name: string]: unknown }): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});
