import type { BadField } from '../../../shared/kernel/oversize.ts';
import {
  SCHEMA_CHARS_MAX,
  SCHEMA_DEPTH_MAX,
} from '../../../shared/domains/verification/result_check.ts';

/** Keywords by which a schema would depend on others, or be asynchronous. */
const FORBIDDEN = ['$id', '$async', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'];
const DIALECTS = /^https?:\/\/json-schema\.org\/(draft-07\/schema|draft\/2020-12\/schema)#?$/;

/** Reasons to refuse a schema before its meaning is looked at. */
export function overLimits(schema: object): BadField[] {
  const size = sizeOf(schema);
  if (size > SCHEMA_CHARS_MAX) {
    const message = `must have at most ${SCHEMA_CHARS_MAX} characters`;
    return [{ pointer: '/json_schema', message }];
  }
  const { $schema } = schema as { $schema?: unknown };
  if ($schema !== undefined && !(typeof $schema === 'string' && DIALECTS.test($schema))) {
    const message = 'must be the address of 2020-12 or draft-07';
    return [{ pointer: '/json_schema/$schema', message }];
  }
  return faultsIn(schema, '/json_schema', 0);
}

const sizeOf = (schema: object): number => JSON.stringify(schema).length;

/** Searches everything: a property with the name of a keyword holds a schema, not a text. */
function faultsIn(value: unknown, pointer: string, depth: number): BadField[] {
  if (value === null || typeof value !== 'object') return [];
  if (depth > SCHEMA_DEPTH_MAX) {
    return [{ pointer: '/json_schema', message: `is deeper than ${SCHEMA_DEPTH_MAX} levels` }];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`.slice(0, 200);
    if (typeof inner === 'object') return faultsIn(inner, at, depth + 1);
    if (FORBIDDEN.includes(name))
      return [{ pointer: at, message: 'is a keyword that is not used' }];
    if (name !== '$ref' || typeof inner !== 'string' || inner.startsWith('#')) return [];
    return [{ pointer: at, message: 'must point into the schema itself, as #/$defs/item' }];
  });
}
