import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

import { invalid } from './invalid.ts';
import { FIELDS_MAX, oversized, type BadField } from './oversize.ts';
import { readBySchema } from './reading/by_schema.ts';
import { nearestName } from './terms/nearest_name.ts';
import { cleaned } from './text.ts';

export { invalid, Type, type Static, type TObject, type TProperties, type TSchema };

/** The largest id in an input. In the database ids are bigint. */
export const ID_MAX = 2 ** 31 - 1;

/** An input: unknown fields are refused over REST and dropped from tool calls. */
export const Input = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/**
 * An output lists all its fields, so that nothing reaches a caller by accident. An object that
 * clients need a type for has a name: one name, one shape, in all of /openapi.json.
 */
export function Output<P extends TProperties>(properties: P): TObject<P>;
export function Output<P extends TProperties>(name: string, properties: P): TObject<P>;
export function Output<P extends TProperties>(first: P | string, second?: P) {
  const [name, properties] = typeof first === 'string' ? [first, second!] : [undefined, first];
  return Type.Object(properties, { ...(name && { title: name }), additionalProperties: false });
}

export const Id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: ID_MAX, description });
export const Usd = (description: string, minimum = 0) =>
  Type.Number({ minimum, maximum: 1_000_000, multipleOf: 0.000001, description });
/** An amount that may exceed the maximum of an input: a balance, a sum. */
export const Amount = (description: string) => Type.Number({ description: `USD. ${description}` });
export const Text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, description });
export const Time = (description: string) => Type.String({ format: 'date-time', description });
/** A time in an input; `timeOf` parses it. */
export const Moment = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description });
export const OneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text written by another party: data, never instructions to its reader. */
export const Untrusted = (description: string) =>
  Type.Object(
    {
      untrusted: Type.Literal(true),
      content: Type.String({ description: 'The text.' }),
    },
    {
      title: 'UntrustedText',
      additionalProperties: false,
      description: `${description} Written by another party.`,
    },
  );

export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '20 if absent.' })),
  cursor: Type.Optional(Text(1, 200, 'The last next_cursor.')),
};

/** Paging with a maximum and default of `max` items on a page. */
export const pagingOf = (max: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, description: `${max} if absent.` }),
  ),
  cursor: Paging.cursor,
});

/** An output `{<plural>: […], count, next_cursor, has_more}`, named after the item plus List. */
export const List = <K extends string, T extends TSchema>(plural: K, item: T) =>
  Output(`${(item as { title?: string }).title ?? plural}List`, {
    [plural]: Type.Array(item),
    count: Type.Integer({ description: 'On this page.' }),
    next_cursor: Nullable(Type.String({ description: 'The next page.' })),
    has_more: Type.Boolean({ description: 'More follow.' }),
  } as { [P in K]: ReturnType<typeof Type.Array<T>> } & {
    count: ReturnType<typeof Type.Integer>;
    next_cursor: ReturnType<typeof Nullable<ReturnType<typeof Type.String>>>;
    has_more: ReturnType<typeof Type.Boolean>;
  });

// verbose: errors include their schema, whose description is shown in messages.
const options: Options = { allErrors: true, multipleOfPrecision: 3, verbose: true };
const exact = formats.default(new Ajv(options));
/** Drops unknown fields, for tool calls: LLM clients send extra ones. */
const lenient = formats.default(new Ajv({ ...options, removeAdditional: true }));

const compiled = {
  exact: new WeakMap<TSchema, ValidateFunction>(),
  lenient: new WeakMap<TSchema, ValidateFunction>(),
};

/**
 * Returns `given` as `schema` reads it, with names and titles cleaned, or refuses it: with the
 * fields that are too large, or else with all failing fields, at most 20.
 */
export function parse<S extends TSchema>(
  schema: S,
  given: unknown,
  { dropUnknown = false, isRead = false } = {},
): Static<S> {
  const unseen: BadField[] = [];
  const value = cleaned(schema, readBySchema(schema, given, isRead), unseen);
  const tooLarge = oversized(schema, value, dropUnknown);
  if (tooLarge.length > 0) throw invalid(tooLarge);
  const cache = dropUnknown ? compiled.lenient : compiled.exact;
  let validate = cache.get(schema);
  if (!validate) cache.set(schema, (validate = (dropUnknown ? lenient : exact).compile(schema)));

  if (unseen.length > 0) throw invalid(unseen.slice(0, FIELDS_MAX));

  // Dropped before ajv, which is slow with very many unknown fields.
  const input = dropUnknown ? withoutUnknown(schema, value) : value;
  if (validate(input)) return input as Static<S>;
  throw invalid(
    oneOfEach(validate.errors ?? [])
      .filter(({ keyword }) => keyword !== 'if') // Its else tells which field is missing.
      .slice(0, FIELDS_MAX)
      .map(fieldOf),
  );
}

/**
 * Reduces the errors of a value that matches none of several alternatives: ajv gives errors of each
 * alternative and one for all. Keeps those of the alternative with its type, else the one for all.
 */
function oneOfEach(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const none = errors.filter(({ keyword }) => keyword === 'anyOf');
  return none.reduce<readonly ErrorObject[]>((left, of) => {
    const isBranch = ({ schemaPath, instancePath }: ErrorObject) =>
      schemaPath.startsWith(`${of.schemaPath}/`) && instancePath.startsWith(of.instancePath);
    const told = left.filter((error) => isBranch(error) && error.keyword !== 'type');
    return left.filter((error) => {
      if (error === of) return told.length === 0;
      return !isBranch(error) || told.includes(error);
    });
  }, errors);
}

function withoutUnknown({ properties }: Partial<TObject>, value: unknown): unknown {
  if (!properties || !isObject(value)) return value;
  const known = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(known.map((name) => [name, value[name]]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const DUE_DAYS = 7;
const DUE_DAYS_MAX = 90;
const DAY_MS = 86_400_000;

/** A field `due_at`, the deadline for an action of others. */
export const DueAt = (what: string) =>
  Type.Optional(
    Moment(`Time until which ${what}: at most ${DUE_DAYS_MAX} days, ${DUE_DAYS} if absent.`),
  );

/** Parses `due_at`. Refuses a time in the past or too far away. */
export function dueOf(now: Date, text: string | undefined): Date {
  const due = timeOf('/due_at', text) ?? new Date(now.getTime() + DUE_DAYS * DAY_MS);
  const days = (due.getTime() - now.getTime()) / DAY_MS;
  if (days > 0 && days <= DUE_DAYS_MAX) return due;
  const message = `must be in the next ${DUE_DAYS_MAX} days`;
  throw invalid([{ pointer: '/due_at', message }]);
}

/** Parses a Moment. Refuses values such as leap seconds, which pass the format only. */
export function timeOf(pointer: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : new Date(text);
  if (!time || !Number.isNaN(time.getTime())) return time;
  throw invalid([{ pointer, message: 'must be a valid time' }]);
}

function fieldOf(error: ErrorObject): BadField {
  const { instancePath, keyword, params, parentSchema, data, message = 'is invalid' } = error;
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params.missingProperty}`, message: 'is missing' };
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 64);
    return { pointer: `${instancePath}/${name}`, message: unknownField(name, parentSchema, data) };
  }
  if (keyword === 'enum') {
    return { pointer: instancePath, message: `must be one of ${params.allowedValues.join(', ')}` };
  }
  if (keyword === 'pattern' || keyword === 'anyOf') {
    const { description } = parentSchema as Declared;
    const what = description && `is invalid, expected: ${withoutDot(description)}`;
    const { anyOf } = parentSchema as Declared;
    const types =
      anyOf?.every(({ type }) => type) && `must be ${anyOf.map(({ type }) => type).join(' or ')}`;
    return { pointer: instancePath, message: what ?? (types || message) };
  }
  if (keyword === 'format' && params.format === 'date-time') {
    return { pointer: instancePath, message: 'must be a time such as 2027-01-31T12:00:00Z' };
  }
  if (/^min(Length|Items|Properties)$/.test(keyword) && params.limit === 1) {
    return { pointer: instancePath, message: 'must not be empty' };
  }
  if (keyword === 'uniqueItems') {
    const message = `must name nothing twice: items ${params.j} and ${params.i} are equal`;
    return { pointer: instancePath, message };
  }
  if (keyword === 'multipleOf') {
    return { pointer: instancePath, message: 'must have at most six decimals' };
  }
  return { pointer: instancePath, message: plain(message) };
}

/** A message of ajv in the words of the others. */
const plain = (message: string): string =>
  message
    .replace('must NOT have more than', 'must have at most')
    .replace('must NOT have fewer than', 'must have at least')
    .replace('must NOT', 'must not');

/** Suggests the right name or object, so that a caller, also a model, can correct its call. */
function unknownField(name: string, schema: unknown, given: unknown): string {
  const { properties = {} } = schema as { properties?: Record<string, Partial<TObject>> };
  const known = Object.keys(properties);
  const isNone = 'is not a field of this call';
  const value = (given as Record<string, unknown>)[name];
  const nested = isObject(value) ? known.filter((inner) => Object.hasOwn(value, inner)) : [];
  if (nested.length > 0) return `${isNone}: send ${nested.join(', ')} without it`;
  const outer = known.find((one) => Object.hasOwn(properties[one]!.properties ?? {}, name));
  if (outer !== undefined) return `${isNone}, but one inside ${outer}`;
  const meant = nearestName(name, known);
  if (meant !== undefined) return `${isNone}: did you mean ${meant}?`;
  return known.length === 0 ? isNone : `${isNone}, which has ${known.slice(0, 20).join(', ')}`;
}

const withoutDot = (sentence: string) => sentence.replace(/\.$/, '');

interface Declared {
  readonly description?: string;
  readonly anyOf?: readonly { readonly type?: string }[];
}
