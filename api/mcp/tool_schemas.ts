import type { Tool } from '@modelcontextprotocol/server';

import { catalog } from '../../shared/kernel/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { interfaceFieldsOf, shown } from '../http/schemas.ts';

/* A client loads all tools before anything else, so what they do not need is left out. */

/** What every tool may answer instead of its result. `marketplace://errors` has it in full. */
const REFUSED = {
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'string' }, message: { type: 'string' } },
};
const PENDING = {
  type: 'object',
  description: 'Accepted and not finished yet: get_job.',
  required: ['status', 'job_id'],
  properties: { status: { const: 'pending' }, job_id: { type: 'string' } },
};

/**
 * An operation as a tool. The annotations follow one rule. readOnlyHint: it changes nothing and
 * costs nothing. destructiveHint: it takes money from the wallet, or changes or ends what cannot be
 * brought back. idempotentHint: the same call once more changes nothing more. openWorldHint: it
 * asks systems outside of the marketplace.
 */
export function toolOf(op: AnyOperation): Tool {
  const isRead = op.mode === 'read';
  const fields = { ...op.input.properties, ...interfaceFieldsOf(op) };
  const answers = [resultOf(op), ...(op.mode === 'job' ? [PENDING] : []), REFUSED];
  return {
    name: op.name,
    title: op.title,
    description: op.summary,
    inputSchema: inputOf(shown({ ...op.input, properties: fields })) as Tool['inputSchema'],
    // With the refusals: some clients check structuredContent even when isError is set.
    outputSchema: { type: 'object', anyOf: answers },
    annotations: {
      title: op.title,
      readOnlyHint: isRead,
      destructiveHint: op.destructive ?? false,
      idempotentHint: isRead || (op.idempotent ?? false),
      // In the API process `gather` is only arithmetic; the network is for workers.
      openWorldHint: op.mode === 'job' && op.gather !== undefined,
    },
  };
}

type Json = { readonly [name: string]: unknown };

/**
 * An input without unions, because some clients refuse a whole list for one: it shows the first of
 * the forms. Calls may have the others too.
 */
function inputOf(schema: Json): Json {
  return mapped(schema, ({ anyOf, ...rest }) =>
    Array.isArray(anyOf) ? { ...(anyOf[0] as Json), ...rest } : rest,
  );
}

/** Which tool shows an object: the one that only reads it. */
const readers = new Map(
  [...catalog.values()]
    .filter(({ mode, access }) => mode === 'read' && access !== 'operator')
    .map((op) => [op.output, op.name]),
);

/**
 * A result without bounds, which are for those who write a value, and without the fields of objects
 * that another tool shows.
 */
function resultOf(op: AnyOperation): Json {
  const short = (schema: Json): Json | undefined => {
    const reader = readers.get(schema);
    if (!reader || reader === op.name) return undefined;
    const { type, required } = schema;
    return { type, required, description: `As ${reader} answers.` };
  };
  const unbounded = (one: Json) =>
    Object.fromEntries(Object.entries(one).filter(([keyword]) => !BOUNDS.has(keyword)));
  return shown(mapped(op.output, unbounded, short));
}

const BOUNDS = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'additionalProperties',
]);

/** The schema with every schema in it mapped, unless `short` has something to say it by. */
function mapped(
  schema: Json,
  map: (one: Json) => Json,
  short: (one: Json) => Json | undefined = () => undefined,
): Json {
  const inner = (value: unknown) => mapped(value as Json, map, short);
  const { properties, items, anyOf } = schema;
  return (
    short(schema) ??
    map({
      ...schema,
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties as Json).map(([name, one]) => [name, inner(one)]),
        ),
      }),
      ...(items !== undefined && { items: inner(items) }),
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
    })
  );
}
