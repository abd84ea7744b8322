import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

import { FIELDS_MAX, oversized, type BadField } from './oversize.ts';
import { Refusal } from './refusal.ts';
import { nearestName } from './terms/nearest_name.ts';
import { cleaned } from './text.ts';

export { Type, type Static, type TObject, type TSchema };

/** The largest id that a caller may name. In the database ids are bigint. */
export const ID_MAX = 2 ** 31 - 1;

/** An input: what is not named in it is refused over REST and dropped from tool calls. */
export const Input = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/**
 * An output names every field it may have, so nothing reaches a caller by accident. An object that
 * programs will want a type of has a name: one name, one shape, in all of /openapi.json.
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
/** An amount that may exceed what a caller may ask for: a balance, a sum. */
export const Amount = (description: string) => Type.Number({ description: `USD. ${description}` });
export const Text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, description });
export const Time = (description: string) => Type.String({ format: 'date-time', description });
/** A time that a caller names; `timeOf` reads it. */
export const Moment = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description });
export const OneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text written by another party. It is data to its reader, whatever it says. */
export const Untrusted = (description: string) =>
  Type.Object(
    {
      untrusted: Type.Literal(true),
      content: Type.String({ description: 'The text itself.' }),
    },
    {
      title: 'UntrustedText',
      additionalProperties: false,
      description: `${description} Written by another party.`,
    },
  );

export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '20 if absent.' })),
  cursor: Type.Optional(Text(1, 200, 'next_cursor of the page before.')),
};

/** Paging of what is long: at most, and if nothing is said, `max` on a page. */
export const pagingOf = (max: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, description: `${max} if absent.` }),
  ),
  cursor: Paging.cursor,
});

/** `{<plural>: […], count, next_cursor, has_more}`, under the name of the item with List. */
export const List = <K extends string, T extends TSchema>(plural: K, item: T) =>
  Output(`${(item as { title?: string }).title ?? plural}List`, {
    [plural]: Type.Array(item),
    count: Type.Integer({ description: 'On this page.' }),
    next_cursor: Nullable(Type.String({ description: 'Of the next page.' })),
    has_more: Type.Boolean({ description: 'There are more.' }),
  } as { [P in K]: ReturnType<typeof Type.Array<T>> } & {
    count: ReturnType<typeof Type.Integer>;
    next_cursor: ReturnType<typeof Nullable<ReturnType<typeof Type.String>>>;
    has_more: ReturnType<typeof Type.Boolean>;
  });

// verbose: errors come with their schema, of which a message shows the description.
const options: Options = { allErrors: true, multipleOfPrecision: 3, verbose: true };
const exact = formats.default(new Ajv(options));
/** LLM clients send extra keys: tool calls drop them. */
const lenient = formats.default(new Ajv({ ...options, removeAdditional: true }));

const compiled = {
  exact: new WeakMap<TSchema, ValidateFunction>(),
  lenient: new WeakMap<TSchema, ValidateFunction>(),
};

/**
 * Returns `given` typed by `schema`, with what others are shown cleaned, or refuses it: with what
 * is too large, or else with every failing field, at most 20.
 */
export function parse<S extends TSchema>(
  schema: S,
  given: unknown,
  { dropUnknown = false } = {},
): Static<S> {
  const unseen: BadField[] = [];
  const value = cleaned(schema, given, unseen);
  const tooLarge = oversized(schema, value, dropUnknown);
  if (tooLarge.length > 0) throw invalid(tooLarge);
  const cache = dropUnknown ? compiled.lenient : compiled.exact;
  let validate = cache.get(schema);
  if (!validate) cache.set(schema, (validate = (dropUnknown ? lenient : exact).compile(schema)));

  if (unseen.length > 0) throw invalid(unseen);

  // A few of them ajv removes; it takes its time with very many.
  const input = dropUnknown ? withoutUnknown(schema, value) : value;
  if (validate(input)) return input as Static<S>;
  throw invalid(
    oneOfEach(validate.errors ?? [])
      .slice(0, FIELDS_MAX)
      .map(fieldOf),
  );
}

/**
 * Of a value that is none of several alternatives there is an error of each, and one of all. Kept
 * is what is wrong with it as the alternative of its own type, or else that it is none of them.
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

/** A `validation_error` about fields that a schema cannot judge. Pointers are RFC 6901. */
export function invalid(fields: readonly BadField[]): Refusal {
  const shown = fields.slice(0, FIELDS_MAX);
  const sentence = shown.map(({ pointer, message }) => `${pointer || 'the input'} ${message}`);
  return new Refusal('validation_error', `${sentence.join('; ')}.`, { fields: shown });
}

const DUE_DAYS = 7;
const DUE_DAYS_MAX = 90;
const DAY_MS = 86_400_000;

/** A field `due_at`: until when others may do something. */
export const DueAt = (what: string) =>
  Type.Optional(
    Moment(`Until when ${what}, at most ${DUE_DAYS_MAX} days; ${DUE_DAYS} days if absent.`),
  );

/** What it says. Refuses what is over, or too far away. */
export function dueOf(now: Date, text: string | undefined): Date {
  const due = timeOf('/due_at', text) ?? new Date(now.getTime() + DUE_DAYS * DAY_MS);
  const days = (due.getTime() - now.getTime()) / DAY_MS;
  if (days > 0 && days <= DUE_DAYS_MAX) return due;
  const message = `must be in the next ${DUE_DAYS_MAX} days`;
  throw invalid([{ pointer: '/due_at', message }]);
}

/** What a Moment names. Some that pass its format, such as leap seconds, are no time we know. */
export function timeOf(pointer: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : new Date(text);
  if (!time || !Number.isNaN(time.getTime())) return time;
  throw invalid([{ pointer, message: 'is not a known time' }]);
}

function fieldOf(error: ErrorObject): BadField {
  const { instancePath, keyword, params, parentSchema, message = 'is invalid' } = error;
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params.missingProperty}`, message: 'is missing' };
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 64);
    return { pointer: `${instancePath}/${name}`, message: unknownField(name, parentSchema) };
  }
  if (keyword === 'enum') {
    return { pointer: instancePath, message: `must be one of ${params.allowedValues.join(', ')}` };
  }
  if (keyword === 'pattern' || keyword === 'anyOf') {
    const { description } = parentSchema as Declared;
    const what = description && `is not what it must be: ${withoutDot(description)}`;
    return { pointer: instancePath, message: what ?? message };
  }
  if (keyword === 'multipleOf') {
    return { pointer: instancePath, message: 'must have at most six decimals' };
  }
  return { pointer: instancePath, message };
}

/** A caller that is told the right name can mend its call, also one that is a model. */
function unknownField(name: string, schema: unknown): string {
  const known = Object.keys((schema as TObject).properties ?? {});
  const meant = nearestName(name, known);
  const isNone = 'is not a field of this call';
  if (meant !== undefined) return `${isNone}: did you mean ${meant}?`;
  return known.length === 0 ? isNone : `${isNone}: it has ${known.slice(0, 20).join(', ')}`;
}

const withoutDot = (sentence: string) => sentence.replace(/\.$/, '');

/**
 * Reads query-string and path values as the types that `schema` declares. What does not read as
 * its type stays a string, for `parse` to refuse by name.
 */
export function fromStrings(schema: TObject, strings: Record<string, unknown>): object {
  const entries = Object.entries(strings).map(([name, text]) => {
    if (typeof text !== 'string') return [name, text];
    const field = schema.properties[name] as Declared | undefined;
    const may = (type: string) => [field, ...(field?.anyOf ?? [])].some((f) => f?.type === type);
    if (may('integer') && /^-?\d{1,15}$/.test(text)) return [name, Number(text)];
    if (may('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return [name, Number(text)];
    if (may('boolean') && /^(true|false)$/.test(text)) return [name, text === 'true'];
    return [name, text];
  });
  return Object.fromEntries(entries);
}

interface Declared {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Declared[];
}
