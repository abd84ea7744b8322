/** The rules of OpenAI for the parameters of a strict function, written from its documentation. */

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Only some models understand bounds and formats, so they are not allowed. */
const KEYWORDS = [
  'type',
  'description',
  'enum',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
];
const DEPTH_MAX = 5;

export function problemsOfParameters(root: Schema): string[] {
  const isObject = root.type === 'object' && root.anyOf === undefined;
  return [...(isObject ? [] : ['the root is no plain object']), ...problemsOf(root, '', 0)];
}

function problemsOf(schema: Schema, at: string, depth: number): string[] {
  const { type, properties, required = [], items, anyOf, enum: values } = schema;
  const types = [type ?? []].flat();
  const problems = Object.keys(schema).flatMap((keyword) =>
    KEYWORDS.includes(keyword) ? [] : `${at} has ${keyword}`,
  );
  const unless = (fine: boolean, problem: string) => fine || problems.push(`${at} ${problem}`);

  unless(depth <= DEPTH_MAX, 'is nested too deep');
  unless(types.length > 0 || anyOf !== undefined, 'has no type');
  unless(
    types.every((one) => TYPES.includes(one)),
    'has an unknown type',
  );
  if (types.includes('object')) {
    unless(schema.additionalProperties === false, 'takes other fields');
    const names = Object.keys(properties ?? {}).toSorted();
    unless(
      JSON.stringify(names) === JSON.stringify([...required].toSorted()),
      'does not require all its fields',
    );
  }
  if (types.includes('array')) unless(items !== undefined, 'has no items');
  if (values && types.includes('null')) unless(values.includes(null), 'has no null in its enum');
  return [
    ...problems,
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      problemsOf(field, `${at}/${name}`, depth + 1),
    ),
    ...(items ? problemsOf(items, `${at}/*`, depth + 1) : []),
    ...(anyOf ?? []).flatMap((one, n) => problemsOf(one, `${at}|${n}`, depth)),
  ];
}
