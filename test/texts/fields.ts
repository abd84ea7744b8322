import type { AnyOperation } from '../../shared/kernel/operation.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly '~shownAs'?: 'text' | 'line' | 'exact';
}

interface Field {
  /** `operation/field`, with `[]` for an item of a list. */
  readonly name: string;
  /** Whether it is cleaned. */
  readonly isName: boolean;
}

/** The fields of an operation that hold free text, or any JSON. */
export const fieldsOf = ({ name, input }: AnyOperation): Field[] => fieldsIn(input as Schema, name);

function fieldsIn(schema: Schema, name: string): Field[] {
  const { anyOf, items, properties, enum: values, format, pattern, type } = schema;
  if (anyOf) return anyOf.flatMap((option) => fieldsIn(option, name));
  if (items) return fieldsIn(items, `${name}[]`);
  if (properties && Object.keys(properties).length > 0) {
    return Object.entries(properties).flatMap(([key, one]) => fieldsIn(one, `${name}/${key}`));
  }
  const isFree = type === 'string' && !values && !format && !pattern;
  const isOpen = name.includes('/') && (type === 'object' || type === undefined) && !values;
  if (!isFree && !(isOpen && schema.const === undefined)) return [];
  return [{ name, isName: ['line', 'exact'].includes(schema['~shownAs'] ?? '') }];
}
