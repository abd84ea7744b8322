import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { ROOT } from '../sources.ts';

const TYPES = join(ROOT, 'test/sandbox/stripe_parameters.ts');
const FILE = join(ROOT, 'sandbox/stripe/parameters.json');

/** The part of ts-json-schema-generator that is used here. */
interface Generators {
  createGenerator(options: object): { createSchema(name: string): Schema };
}
// It needs the TypeScript of the client, so npm installs it there.
const generators = createRequire(join(ROOT, 'client/package.json'))(
  'ts-json-schema-generator',
) as Generators;

interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  anyOf?: Schema[];
  definitions?: Record<string, Schema>;
}

/**
 * JSON Schemas of the parameters that Stripe takes, made from the types of its SDK, by the names in
 * stripe_parameters.ts. They are closed: the SDK's types admit values of later versions, Stripe
 * refuses what it does not know.
 */
export function stripeSchemas(): string {
  const generator = generators.createGenerator({
    path: TYPES,
    tsconfig: join(ROOT, 'tsconfig.json'),
    skipTypeCheck: true,
    additionalProperties: false,
    topRef: true,
  });
  const definitions: Record<string, Schema> = {};
  for (const [, name] of readFileSync(TYPES, 'utf8').matchAll(/^export type (\w+)/gm)) {
    const generated = generator.createSchema(name!).definitions as Record<string, Schema>;
    Object.assign(definitions, generated);
    definitions[name!] = withoutAlias(generated, generated[name!]!);
  }
  const used = Object.entries(definitions).filter(([name]) => !/^(Pick<|OtherString$)/.test(name));
  const sorted = used.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const schema = closed({ definitions: Object.fromEntries(sorted) });
  return `${JSON.stringify(schema, null, 1)}\n`;
}

/** The last output of `npm run build:stripe`. */
export const storedSchemas = () => readFileSync(FILE, 'utf8');

export const storeSchemas = () => writeFileSync(FILE, stripeSchemas());

function withoutAlias(definitions: Record<string, Schema>, { $ref, ...schema }: Schema): Schema {
  if (!$ref) return schema;
  return withoutAlias(definitions, definitions[decodeURIComponent($ref.split('/').pop()!)]!);
}

/** Without descriptions and the openness to later versions; amounts and times are whole numbers. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === 'number') return 'integer';
  if (typeof value !== 'object' || value === null) return value;
  const { description: _, ...schema } = value as Schema;
  const known = schema.anyOf?.filter(({ $ref }) => $ref !== '#/definitions/OtherString');
  const fields = Object.entries(schema).map(([name, field]) => [name, closed(field)]);
  const closedSchema = Object.fromEntries(fields) as Schema;
  if (known) closedSchema.anyOf = closed(known) as Schema[];
  return closedSchema;
}
