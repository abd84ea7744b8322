/**
 * An API process whose catalog holds, beside everything else, what the conformance suite asks of
 * servers. Each fixture is served by the code that serves the marketplace's own.
 */
import { PROMPTS } from '../../api/mcp/prompt_texts.ts';
import { tools } from '../../shared/kernel/catalog.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { Input, Output, Type } from '../../shared/kernel/schema.ts';

const fixture = { access: 'any', domain: 'conformance' } as const;
const output = Output({ text: Type.String() });

const simpleText = operation({
  ...fixture,
  name: 'test_simple_text',
  title: 'Simple text',
  summary: 'Says something.',
  mode: 'read',
  input: Input({}),
  output,
  handle: async () => ({ text: 'This is a simple text response for testing.' }),
});

const errorHandling = operation({
  ...fixture,
  name: 'test_error_handling',
  title: 'Error handling',
  summary: 'Refuses.',
  mode: 'read',
  input: Input({}),
  output,
  handle: async () => {
    throw new Refusal('not_found', 'This tool intentionally returns an error for testing.');
  },
});

/** There is no worker to perform it: it is waited for until the caller's patience ends. */
const withProgress = operation({
  ...fixture,
  name: 'test_tool_with_progress',
  title: 'Progress',
  summary: 'Takes its time.',
  mode: 'job',
  queue: 'network',
  input: Input({}),
  output,
  handle: async () => ({ text: 'Done.' }),
});

const withDefinitions = operation({
  ...fixture,
  name: 'json_schema_2020_12_tool',
  title: 'JSON Schema',
  summary: 'Has a schema with all kinds of words in it.',
  mode: 'read',
  input: Type.Object(
    { name: Type.String(), address: Type.Unsafe<object>({ $ref: '#/$defs/address' }) },
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: {
        address: {
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      additionalProperties: false,
    },
  ),
  output,
  handle: async ({ requestId }) => ({ text: requestId }),
});

// Before the doors are made of it.
const catalog = tools as Map<string, AnyOperation>;
for (const op of [simpleText, errorHandling, withProgress, withDefinitions]) {
  catalog.set(op.name, op);
}
PROMPTS.push(
  {
    name: 'test_simple_prompt',
    title: 'Simple prompt',
    description: 'A prompt without arguments.',
    arguments: [],
    text: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'Prompt with arguments',
    description: 'A prompt that repeats its arguments.',
    arguments: ['arg1', 'arg2'].map((name) => ({ name, description: 'Any.', required: true })),
    text: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
);
const { resources, TEXTS } = await import('../../api/mcp/resources.ts');
const uri = 'test://static-text';
const about = { name: 'static-text', title: 'Static text', description: 'A text.' };
resources.push({ uri, ...about, mimeType: 'application/json' });
TEXTS.set(uri, JSON.stringify('This is the content of the static text resource.'));

await import('../../api/main.ts');
