import { tools } from '../../shared/composition/catalog.ts';
import { listTools } from '../mcp/tools.ts';
import type { Route } from '../http/routes.ts';
import { takesNull } from '../../shared/kernel/reading/by_schema.ts';
import { documentRoute, JSON_TYPE } from './document.ts';

/**
 * `GET /openai-schema.json`: every tool as an OpenAI function, by the strict rules. These can say
 * "not given" only by null. A tool for which null means something else is therefore not strict:
 * its callers leave out the fields that stay as they are.
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

/** Keywords that the strict rules do not allow, as words of the description. */
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
 * "not given", at every interface (see readBySchema).
 */
function strict(schema: Schema): Schema {
  const description = described(schema);
  return { ...shapeOf(schema), ...(description && { description }) };
}

/** Whether a schema admits fields that it does not name. */
const isOpen = ({ type, properties = {}, additionalProperties }: Schema): boolean =>
  type === 'object' && Object.keys(properties).length === 0 && additionalProperties !== false;

function shapeOf(schema: Schema): Schema {
  const { type, items, properties = {}, required = [], ...rest } = schema;
  // An object of any fields is none by these rules, which ask for the name of each: its JSON text.
  if (isOpen(schema)) return { type: 'string' };
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
  if (isOpen(schema)) words.push('an object, as JSON text');
  if (words.length === 0) return description;
  return [description, `(${words.join(', ')})`].filter(Boolean).join(' ');
}
