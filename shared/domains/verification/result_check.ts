import { Input, OneOf, Text, Type, type Static } from '../../kernel/schema.ts';
import { PublicJson } from '../../kernel/text.ts';

/** Maximum characters of a schema as JSON text. */
export const SCHEMA_CHARS_MAX = 16_000;
export const SCHEMA_DEPTH_MAX = 24;
/** The formats that a schema may name. */
export const FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
] as const;
const ASSERTIONS_MAX = 20;

/** A field for a JSON Schema by which results are judged. */
export const JsonSchema = PublicJson(
  Type.Unsafe<object>({
    type: 'object',
    description:
      `A JSON Schema (2020-12, or draft-07 if $schema says so) of at most ${SCHEMA_CHARS_MAX} ` +
      `characters. $ref only inside it; patterns are RE2; formats: ${FORMATS.join(', ')}.`,
  }),
);

const OPS = ['contains', 'regex', 'min_length', 'max_length', 'equals'] as const;

export const Assertion = Input({
  op: OneOf(
    OPS,
    'contains and equals: a value; regex: an RE2 pattern that is found in the text; min_length, ' +
      'max_length: characters of a text, items of a list.',
  ),
  value: Type.Union(
    [
      Type.String({ maxLength: 1_000 }),
      Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      Type.Boolean(),
      Type.Null(),
    ],
    { description: 'Operand of op.' },
  ),
  path: Type.Optional(
    Text(
      0,
      200,
      'A JSON pointer, as /items/0/name, to the part of a JSON result to judge. The whole ' +
        'result as text if absent.',
    ),
  ),
});
export type Assertion = Static<typeof Assertion>;

/** A field for statements about a result, which must all be true. */
export const Assertions = Type.Array(Assertion, {
  minItems: 1,
  maxItems: ASSERTIONS_MAX,
  description: `At most ${ASSERTIONS_MAX} statements about the result, which must all be true.`,
});

/** A check by which an agent has the results of others judged. */
export type ResultCheck =
  { readonly json_schema: object } | { readonly assertions: readonly Assertion[] };
