import { refuseUnstorable } from '../storable.ts';
import { readJsonText } from './json_text.ts';

/** The parts of a JSON schema that tell how a value is read. */
interface Declared {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly anyOf?: readonly Declared[];
  readonly items?: Declared;
  readonly properties?: Readonly<Record<string, Declared>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/**
 * The value as its schema declares it, where that is certain: a number or a boolean sent as text,
 * an object or a list sent as JSON text, and null for a field that is not given. Anything else
 * stays as it was sent, for `parse` to refuse by name. Every interface reads its input so.
 *
 * A read takes an empty text for a field that cannot be empty as absent too. A write does not: the
 * field may be a limit.
 */
export const readBySchema = (schema: object, value: unknown, isRead = false): unknown =>
  readAs(schema, value, isRead);

function readAs(schema: Declared, value: unknown, isRead: boolean): unknown {
  if (schema.anyOf) return readAny(schema.anyOf, value, isRead);
  if (typeof value === 'string') {
    if (schema.type === 'string') return value;
    const read = readText(schema, value);
    return typeof read === 'object' ? readAs(schema, read, isRead) : read;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return readList(schema, value, isRead);
  return schema.properties ? readFields(schema, value as Fields, isRead) : value;
}

/**
 * Reads by the first alternative that can: an id that may be a number or a text is a number, a
 * value that may be a text or a number stays a text, as their schemas list them.
 */
function readAny(options: readonly Declared[], value: unknown, isRead: boolean): unknown {
  const isObject = typeof value === 'object' && value !== null;
  // Which one of several objects is meant, only `parse` can tell.
  if (isObject && options.filter((option) => fits(option, value)).length > 1) return value;
  for (const option of options) {
    const read = readAs(option, value, isRead);
    if (fits(option, read)) return read;
  }
  return value;
}

function readText({ type }: Declared, text: string): unknown {
  switch (type) {
    case 'integer':
      return /^-?\d{1,15}(\.0{1,15})?$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'object':
    case 'array': {
      const opened = fromJsonText(text);
      return fits({ type }, opened) ? opened : text;
    }
    default:
      return text;
  }
}

/** The object or list that a JSON text holds; undefined if it holds none. */
export function fromJsonText(text: string): object | undefined {
  const read = /^\s*[[{]/.test(text) ? readJsonText(text) : undefined;
  if (!read || 'fault' in read) return undefined;
  const opened = read.value as object;
  refuseUnstorable(opened);
  return opened;
}

type Fields = Readonly<Record<string, unknown>>;

/** Copies only if a field changes, because most callers send what the schema says. */
function readFields(schema: Declared, fields: Fields, isRead: boolean): Fields {
  let news: Map<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    const property = Object.hasOwn(schema.properties!, name) ? schema.properties![name]! : ANY;
    const read = isAbsent(schema, name, value, isRead) ? ABSENT : readAs(property, value, isRead);
    if (read !== value) (news ??= new Map<string, unknown>()).set(name, read);
  }
  if (!news) return fields;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const read = news.has(name) ? news.get(name) : value;
      return read === ABSENT ? [] : [[name, read]];
    }),
  );
}

const ABSENT = Symbol('absent');
const ANY: Declared = {};

/**
 * Whether a value stands for a field that is not given. Clients that follow the strict rules of
 * OpenAI's functions must send every field, and send null. Two nulls are kept: that of a required
 * field, which its schema may refuse, and that of a field for which null means something.
 */
function isAbsent(schema: Declared, name: string, value: unknown, isRead: boolean): boolean {
  if (value !== null && !(isRead && value === '')) return false;
  if (!Object.hasOwn(schema.properties!, name)) return false;
  if (schema.required?.includes(name)) return false;
  const property = schema.properties![name]!;
  return value === null ? !takesNull(property) : !takesEmptyText(property);
}

/** Whether null is a value of this field, not the absence of one. */
export const takesNull = ({ anyOf = [] }: { readonly anyOf?: readonly { type?: unknown }[] }) =>
  anyOf.some(({ type }) => type === 'null');

const takesEmptyText = ({ anyOf, ...schema }: Declared): boolean =>
  anyOf
    ? anyOf.some(takesEmptyText)
    : schema.type === 'string' && !schema.minLength && !schema.enum && !schema.format;

function readList({ items }: Declared, list: unknown[], isRead: boolean): unknown[] {
  if (!items || items.type === 'string') return list;
  let read = list;
  for (let n = 0; n < list.length; n += 1) {
    const item = readAs(items, list[n], isRead);
    if (item === list[n]) continue;
    if (read === list) read = [...list];
    read[n] = item;
  }
  return read;
}

/** Whether a value has the JSON type of a schema. */
function fits({ type }: Declared, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
  return typeof value === (type === 'integer' ? 'number' : type);
}
