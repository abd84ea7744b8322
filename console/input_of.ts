import type { AnyOperation } from '../shared/kernel/operation.ts';
import { fromStrings } from '../shared/kernel/schema.ts';
import { listedIn, listOf } from './parts/choices.tsx';
import { fieldOf, kindOf } from './parts/fields.tsx';
import type { Given } from './shown.ts';

/** As browsers send the value of a field of type "date". */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The input of an operation from the fields of a form, by its schema. A field that is left empty is
 * null where that is a value, and otherwise absent. A list is a field sent several times, or with
 * one line each; a list within a text is a field sent for each of its parts. What does not read as
 * its type is left for the operation to refuse by name. A day stands for its last second in UTC.
 */
export function inputOf(op: AnyOperation, given: Given): object {
  const read = Object.entries(given).flatMap(([name, texts]): [string, unknown][] => {
    if (name.startsWith('_')) return [];
    if (!Object.hasOwn(op.input.properties, name)) return [[name, texts.at(-1)]];
    const schema = fieldOf(op, name);
    const { type, items, format } = kindOf(schema);
    const list = listOf(op, name);
    if (list) return [[name, listedIn(list, texts)]];
    const text = texts.at(-1)?.trim() ?? '';
    if (type === 'array') {
      const lines = texts.flatMap((one) => one.split(/\r?\n/)).map((one) => one.trim());
      const full = lines.filter((line) => line !== '');
      return [[name, items?.type === 'object' ? full.map(jsonOf) : full]];
    }
    if (text === '' && type !== 'string') return isNullable(schema) ? [[name, null]] : [];
    if (text === '')
      return isNullable(schema) ? [[name, null]] : isRequired(op, name) ? [[name, '']] : [];
    if (type === 'object') return [[name, jsonOf(text)]];
    if (format === 'date-time' && DAY.test(text)) return [[name, `${text}T23:59:59Z`]];
    // Passwords and texts keep their spaces.
    return [[name, type === 'string' ? texts.at(-1) : text]];
  });
  return fromStrings(op.input, Object.fromEntries(read));
}

const isNullable = (schema: { anyOf?: readonly { type?: string }[] }) =>
  schema.anyOf?.some(({ type }) => type === 'null') ?? false;

const isRequired = (op: AnyOperation, name: string) =>
  ((op.input.required as string[] | undefined) ?? []).includes(name);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
