/**
 * An API process whose catalog also holds operations that only tests need: those of the conformance
 * suite, one with a dialect, and one that is always deferred. The code that serves the
 * marketplace's own operations serves these too.
 */
import { PROMPTS } from '../../api/mcp/prompt_texts.ts';
import { published, tools } from '../../shared/composition/catalog.ts';
import { Deferral } from '../../shared/jobs/deferral.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { dialect } from '../../shared/kernel/terms/dialect.ts';
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

/** There is no worker to perform it, so the caller waits as long as it is willing to. */
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
          $anchor: 'address',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
      if: { required: ['name'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['name'] },
      else: { required: ['address'] },
      additionalProperties: false,
    },
  ),
  output,
  handle: async ({ requestId }) => ({ text: requestId }),
});

/** Answers what it was called with, as JSON. */
const withDialect = operation({
  ...fixture,
  name: 'test_dialect',
  title: 'A dialect',
  summary: 'Has other names over REST.',
  mode: 'read',
  rest: 'POST /api/v1/test/:parent_id/agents',
  input: Input({
    parent: Type.Integer(),
    name: Type.String({ maxLength: 10 }),
    scopes: Type.Optional(Type.Array(Type.String())),
  }),
  bindings: {
    dialect: dialect(
      Input({
        parent_id: Type.Integer(),
        agent_name: Type.String({ maxLength: 5 }),
        permissions: Type.Optional(Type.String()),
      }),
      ({ parent_id, agent_name, permissions }) => ({
        parent: parent_id,
        name: agent_name,
        ...(permissions !== undefined && { scopes: permissions.split(',') }),
      }),
    ),
  },
  output,
  handle: async (_tx, input) => ({ text: JSON.stringify(input) }),
});

const deferred = operation({
  ...fixture,
  name: 'test_deferred',
  title: 'Deferred',
  summary: 'Must be allowed by somebody else first.',
  mode: 'write',
  queue: 'money',
  rest: 'POST /api/v1/test/deferred',
  input: Input({}),
  output,
  handle: async () => {
    throw new Deferral(new Refusal('tx_limit_exceeded', 'Ask first.'), async ({ key }) => ({
      body: { status: 'approval_required', poll: `/api/v1/jobs/${key}` },
      isRepeat: false,
    }));
  },
});

// Before the interfaces are made of the catalog.
const catalog = tools as Map<string, AnyOperation>;
for (const op of [simpleText, errorHandling, withProgress, withDefinitions]) {
  catalog.set(op.name, op);
}
for (const op of [withDialect, deferred]) {
  catalog.set(op.name, op);
  published.push(op);
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
