import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/* What the readers of a list of tools refuse or warn about. */

interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

/** The schema and every schema in it, each with its place. */
function* schemasIn(schema: Schema, at = ''): Generator<readonly [Schema, string]> {
  yield [schema, at];
  const { properties = {}, items, anyOf = [] } = schema;
  for (const [name, inner] of Object.entries(properties)) yield* schemasIn(inner, `${at}/${name}`);
  for (const inner of [...(items ? [items] : []), ...anyOf]) yield* schemasIn(inner, `${at}/*`);
}

/** Keywords of Gemini's Schema; `additionalProperties` is taken out by its clients. */
const OF_GEMINI = new Set(
  'type description enum items properties required format pattern additionalProperties minimum maximum minLength maxLength minItems maxItems'.split(
    ' ',
  ),
);
const TYPES_OF_GEMINI = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Gemini refuses a whole list for one of these (its Schema is no JSON Schema). */
export const forGemini = ({ inputSchema }: Tool): string[] =>
  [...schemasIn(inputSchema)].flatMap(([schema, at]) => {
    const { type, properties, required = [], items, format } = schema;
    const others = Object.keys(schema).filter((keyword) => !OF_GEMINI.has(keyword));
    const unless = (isFine: boolean, problem: string) => (isFine ? [] : [`${at} ${problem}`]);
    return [
      ...others.map((keyword) => `${at} has ${keyword}`),
      ...unless(TYPES_OF_GEMINI.includes(type as string), 'has no single type'),
      ...unless(type === 'object' || properties === undefined, 'has fields and is no object'),
      ...unless(
        required.every((name) => Object.hasOwn(properties ?? {}, name)),
        'needs an unknown',
      ),
      ...unless((type === 'array') === (items !== undefined), 'has items or none'),
      ...unless(format === undefined || format === 'date-time', 'has another format'),
      ...unless(
        schema.enum === undefined ||
          (type === 'string' && schema.enum.every((one) => typeof one === 'string' && one !== '')),
        'has an enum of others than texts',
      ),
    ];
  });

/**
 * The strict mode of Ajv, by which validators of schemas warn. Required fields without a schema are
 * allowed: they name the fields of an object that another tool of the list shows.
 */
export function forStrictValidators({ inputSchema, outputSchema }: Tool): string[] {
  const found: string[] = [];
  const note = (problem: unknown) => void found.push(String(problem));
  const logger = { log: note, warn: note, error: note };
  const ajv = formats.default(new Ajv2020({ strict: 'log', strictRequired: false, logger }));
  for (const schema of [inputSchema, outputSchema]) {
    try {
      if (schema) ajv.compile(schema);
    } catch (error) {
      note(error);
    }
  }
  return found;
}

/** Limits of names and texts: OpenAI's, and Cursor's 60 characters with the name of the server. */
export const forAll = ({ name, description, inputSchema, outputSchema }: Tool): string[] => [
  ...(/^[a-z][a-z0-9_]{0,47}$/.test(name) ? [] : ['its name is too long, or has other signs']),
  ...(description.length <= 1_024 ? [] : ['its description is too long']),
  ...(inputSchema.type === 'object' ? [] : ['its input is no object']),
  ...(outputSchema === undefined || outputSchema.type === 'object' ? [] : ['its output is none']),
];

/** Limits of OpenAI for the parameters of one strict function. */
export function sizeForOpenAi(parameters: Schema): string[] {
  const all = [...schemasIn(parameters)].map(([schema]) => schema);
  const fields = all.flatMap(({ properties = {} }) => Object.keys(properties));
  const values = all.flatMap((schema) => schema.enum ?? []);
  const texts = [...fields, ...values.map(String)].join('');
  return [
    ...(fields.length <= 5_000 ? [] : ['has too many fields']),
    ...(values.length <= 1_000 ? [] : ['has too many values']),
    ...(texts.length <= 120_000 ? [] : ['has too long names and values']),
  ];
}
