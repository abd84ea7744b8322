import fc from 'fast-check';

/** Texts that only the inside of the platform writes. */
export const INTERNAL = new RegExp(
  String.raw`node_modules|\.ts:\d|\bat \S+ \(|QueryFailed|syntax error|invalid input` +
    String.raw`|duplicate key|violates|relation "|column "|TypeError|RangeError` +
    String.raw`|Unexpected token|\bpg_|file://`,
);

/** One call, as the document describes it. */
export interface Documented {
  readonly operationId: string;
  readonly parameters: {
    name?: string;
    in?: string;
    schema?: Schema;
    example?: string | number | boolean;
  }[];
  readonly requestBody?: {
    content: { 'application/json': { schema: ObjectSchema; example?: object } };
  };
  readonly responses: Record<string, object>;
}

interface ObjectSchema {
  readonly properties: Record<string, Schema>;
  readonly required?: readonly string[];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
}

const WORDS = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  "'; drop table agent; --",
  '$1 %s {{7*7}}',
  '../../etc/passwd',
  '\u0000',
  '\u202e\u200b\ufeff',
  '𝕬🇩🇪👩‍👩‍👧',
  'a'.repeat(10_000),
  '2147483648',
  '9223372036854775808',
];

/** JSON texts, some of which are no JSON, and some numbers that no number can hold. */
const ODD = [
  ...WORDS.map((word) => JSON.stringify(word)),
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '0.1',
  '1e-7',
  '1e308',
  '1e309',
  '-1e400',
  '2147483647',
  '2147483648',
  '9007199254740993',
  'NaN',
  'Infinity',
  '01',
  "'x'",
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{}',
  '[null]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '['.repeat(200) + ']'.repeat(200),
  '{"a":'.repeat(60) + '1' + '}'.repeat(60),
];

const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '7',
  '"x"',
  '{}{}',
  '\ufeff{}',
  '{"a":1,}',
  '{a:1}',
  '['.repeat(100_000),
  `{"a":"${'x'.repeat(300 * 1024)}"}`,
];

const EXTRAS = ['__proto__', 'constructor', 'toString', 'id', 'agent_id', 'status', 'a\u0000b', ''];

const text = fc.string({ unit: 'grapheme', maxLength: 60, size: 'max' });

/** The texts of JSON values that are almost valid, and that are not. */
const oddOf = (schema: Schema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: atTheEdge(schema) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        text.map((one) => JSON.stringify(one)),
        fc.json(),
      ),
    },
  );

function fitting({ type, enum: values, minimum = 0, ...schema }: Schema): fc.Arbitrary<string> {
  const json = <T>(arbitrary: fc.Arbitrary<T>) => arbitrary.map((one) => JSON.stringify(one));
  if (values) return json(fc.constantFrom(...values));
  if (type === 'integer') return json(fc.integer({ min: minimum, max: minimum + 5 }));
  if (type === 'number') return json(fc.integer({ min: 1, max: 300 }).map((n) => n / 100));
  if (type === 'boolean') return json(fc.boolean());
  const { minLength = 1, maxLength = 30, items } = schema;
  if (type === 'array') {
    return fc
      .uniqueArray(fitting(items ?? {}), { minLength: 1, maxLength: 3 })
      .map((all) => `[${all.join()}]`);
  }
  const unit = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''));
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) };
  const mail = fc.uuid().map((id) => `${id}@example.com`);
  return json(fc.oneof(fc.string({ unit, ...length }), mail));
}

function atTheEdge({ minimum = 0, maximum = 10, minLength = 0, maxLength = 10, type }: Schema) {
  const strings = [minLength, minLength - 1, maxLength, maxLength + 1]
    .filter((length) => length >= 0 && length < 70_000)
    .map((length) => JSON.stringify('x'.repeat(length)));
  const numbers = [minimum, minimum - 1, maximum, maximum + 1, minimum + 0.0000001].map(String);
  return fc.constantFrom(...(type === 'integer' || type === 'number' ? numbers : strings));
}

type Fields = readonly (readonly [name: string, schema: Schema])[];
type Values = [name: string, json: string][];

/**
 * Fields by the texts of their values. In half of the inputs all are valid, or all but one: an
 * input that is wrong in every way is refused early, and tests nothing that comes later.
 */
function fieldsOf(fields: Fields, required: readonly string[]): fc.Arbitrary<Values> {
  const chosen = (values: (schema: Schema) => fc.Arbitrary<string>, need: readonly string[]) =>
    fc
      .tuple(
        ...fields.map(([name, schema]) => {
          const value = values(schema).map((json) => [name, json] as [string, string]);
          return need.includes(name) ? value : fc.option(value, { freq: 1, nil: undefined });
        }),
      )
      .map((some) => some.filter((one) => one !== undefined));
  const fit = chosen(fitting, required);
  if (fields.length === 0) return fit;
  const oneOff = fc
    .tuple(fit, fc.constantFrom(...fields))
    .chain(([values, [name, schema]]) =>
      oddOf(schema).map((json) => [...values.filter(([other]) => other !== name), [name, json]]),
    ) as fc.Arbitrary<Values>;
  const extra = fc
    .tuple(fit, fc.constantFrom(...EXTRAS), fc.constantFrom(...ODD))
    .map(([values, name, json]): Values => [...values, [name, json]]);
  return fc.oneof(
    { weight: 5, arbitrary: fit },
    { weight: 6, arbitrary: oneOff },
    { weight: 1, arbitrary: extra },
    { weight: 2, arbitrary: chosen((schema) => fc.oneof(fitting(schema), oddOf(schema)), []) },
  );
}

/**
 * The documented example with another value of one field. Only fields that fit each other reach a
 * handler, and the schema does not say which do.
 */
function nearTo(example: object, fields: Fields): fc.Arbitrary<Values> {
  const before = Object.entries(example).map(([name, value]): Values[0] => [
    name,
    JSON.stringify(value),
  ]);
  if (fields.length === 0) return fc.constant(before);
  return fc
    .constantFrom(...fields)
    .chain(([name, schema]) =>
      fc
        .oneof({ weight: 2, arbitrary: fitting(schema) }, { weight: 1, arbitrary: oddOf(schema) })
        .map((json): Values => [...before.filter(([other]) => other !== name), [name, json]]),
    );
}

/** Bodies of fields, and some that are no object at all. */
export function bodiesOf(schema: ObjectSchema, example: object): fc.Arbitrary<string> {
  const fields = Object.entries(schema.properties);
  const toObject = (values: Values) =>
    `{${values.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
  return fc.oneof(
    { weight: 24, arbitrary: fieldsOf(fields, schema.required ?? []).map(toObject) },
    { weight: 20, arbitrary: nearTo(example, fields).map(toObject) },
    { weight: 1, arbitrary: fc.constantFrom(...BODIES) },
  );
}

/** Queries likewise. */
export const queriesOf = (fields: Fields): fc.Arbitrary<string> =>
  fieldsOf(fields, []).map((values) =>
    values
      .map(([name, json]) => `${encodeURIComponent(name)}=${encodeURIComponent(bare(json))}`)
      .join('&'),
  );

const bare = (json: string) => json.replace(/^"|"$/g, '');

/** Parts of a path or a query, encoded, or encoded wrongly. */
export const wordsOf = (fitting: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...fitting) },
    { weight: 2, arbitrary: fc.constantFrom(...WORDS.slice(1)).map(encodeURIComponent) },
    { weight: 1, arbitrary: text.filter(Boolean).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%2e%2e', '%2f', '%00', '%ff', '+', '~') },
  );
