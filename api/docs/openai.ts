import { tools } from '../../shared/kernel/catalog.ts';
import { listTools } from '../mcp/tools.ts';
import type { Route } from '../http/routes.ts';
import { takesNull } from '../http/schemas.ts';
import { documentRoute, JSON_TYPE } from './document.ts';

/**
 * `GET /openai-schema.json`: every tool as an OpenAI function, by the strict rules. These have no
 * word for "not given" but null, so a tool that means something else by null is not strict: who
 * calls it leaves out what stays as it is.
 */
export const openAiRoutes = (): Route[] => [
  documentRoute('/openai-schema.json', {
    type: JSON_TYPE,
    read: () => JSON.stringify(functions()),
  }),
];

const functions = () =>
  listTools(undefined, undefined).tools.map(({ name, description, inputSchema }) => {
    const isStrict = !Object.values(tools.get(name)!.input.properties as object).some(takesNull);
    const parameters = isStrict ? strict(inputSchema as Schema) : inputSchema;
    return { type: 'function', function: { name, description, parameters, strict: isStrict } };
  });

interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** Keywords that the strict rules do not allow become words of the description. */
const IN_WORDS = {
  minimum: 'minimum #',
  maximum: 'maximum #',
  minLength: 'minimum length #',
  maxLength: 'maximum length #',
  minItems: 'minimum items #',
  maxItems: 'maximum items #',
  pattern: 'matching #',
  format: 'as #',
};

/**
 * The same schema by the strict rules: every object names and requires all its fields. Null means
 * "not given", at every interface (see withoutNulls).
 */
function strict(schema: Schema): Schema {
  const description = described(schema);
  return { ...shapeOf(schema), ...(description && { description }) };
}

function shapeOf({ type, items, properties = {}, required = [], ...rest }: Schema): Schema {
  if (type === 'array') return { type, items: strict(items!) };
  if (type === 'object') {
    const fields = Object.entries(properties).map(([name, field]) => {
      const shape = strict(field);
      return [name, required.includes(name) ? shape : nullable(shape)] as const;
    });
    return {
      type,
      properties: Object.fromEntries(fields),
      required: fields.map(([name]) => name),
      additionalProperties: false,
    };
  }
  const values = rest.const === undefined ? rest.enum : [rest.const];
  return { type: type ?? typeof values?.[0], ...(values && { enum: values }) };
}

function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type as string, 'null'],
    ...(values && { enum: [...values, null] }),
  };
}

function described({ description, ...schema }: Schema): string | undefined {
  const words = Object.entries(IN_WORDS).flatMap(([keyword, words]) =>
    schema[keyword] === undefined
      ? []
      : words.replace('#', `${schema[keyword] as string | number}`),
  );
  if (words.length === 0) return description;
  return [description, `(${words.join(', ')})`].filter(Boolean).join(' ');
}
