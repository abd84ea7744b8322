import type { Tool } from '@modelcontextprotocol/server';

import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { isDeferrable } from '../../shared/jobs/deferral.ts';
import { interfaceFieldsOf, shown } from '../http/schemas.ts';
import { tools, toolsNamedIn, withoutUnlisted } from './tool_names.ts';

/* A client loads all tools before anything else, so what they do not need is left out. */

/** What every tool may answer instead of its result. `marketplace://errors` has it in full. */
const REFUSED = {
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'string' }, message: { type: 'string' } },
};
const PENDING = {
  type: 'object',
  description: 'Not finished yet: get_job.',
  required: ['status', 'job_id'],
  properties: { status: { const: 'pending' }, job_id: { type: 'string' } },
};

const APPROVAL_REQUIRED = {
  type: 'object',
  description: 'Waits for an owner.',
  required: ['status', 'approval_id'],
  properties: { status: { const: 'approval_required' }, approval_id: { type: 'integer' } },
};

type Listed = ReadonlySet<AnyOperation>;

const KEPT_MAX = 500;
const kept = new Map<string, Tool>();

/**
 * An operation as a tool of a list, whose texts name no tool that this list lacks. It is kept by
 * those of its neighbours that are listed, because callers choose the lists.
 */
export function toolOf(op: AnyOperation, listed: Listed): Tool {
  const near = neighboursOf(op).filter((one) => listed.has(one));
  const name = [op, ...near].map((one) => one.name).join(' ');
  let tool = kept.get(name);
  if (!tool) {
    tool = withTextsFor(listed, madeOf(op, listed));
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(name, tool);
  }
  return tool;
}

/**
 * The annotations follow one rule. readOnlyHint: it changes nothing and costs nothing.
 * destructiveHint: it takes money from the wallet, or changes or ends what cannot be brought back.
 * idempotentHint: the same call once more changes nothing more. openWorldHint: it asks systems
 * outside of the marketplace.
 */
function madeOf(op: AnyOperation, listed: Listed): Tool {
  const isRead = op.mode === 'read';
  const fields = { ...op.input.properties, ...interfaceFieldsOf(op) };
  const answers = [
    resultOf(op, listed),
    ...(op.mode === 'job' ? [PENDING] : []),
    ...(isDeferrable(op) ? [APPROVAL_REQUIRED] : []),
    REFUSED,
  ];
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

const neighbours = new Map<AnyOperation, readonly AnyOperation[]>();

/** The operations that it names, and those that answer an object of its answers. */
function neighboursOf(op: AnyOperation): readonly AnyOperation[] {
  let found = neighbours.get(op);
  if (!found) {
    const inside = new Set<unknown>();
    const text = JSON.stringify(
      [PENDING, APPROVAL_REQUIRED, op.summary, op.input, op.output],
      (_, value: unknown) => {
        inside.add(value);
        return value;
      },
    );
    const shares = (one: AnyOperation) => answeredBy.get(one)!.some((object) => inside.has(object));
    found = [...new Set([...toolsNamedIn(text), ...byReading.filter(shares)])];
    neighbours.set(op, found);
  }
  return found;
}

/** An enum that names a tool of another list is left out: answers may hold it all the same. */
function withTextsFor(listed: Listed, tool: Tool): Tool {
  const names = (values: unknown) => toolsNamedIn(JSON.stringify(values));
  if (names(tool).every((op) => listed.has(op))) return tool;
  return JSON.parse(
    JSON.stringify(tool, (field, value: unknown) => {
      if (field === 'description' && typeof value === 'string') {
        return withoutUnlisted(value, listed) || undefined;
      }
      const isUnlisted = field === 'enum' && names(value).some((op) => !listed.has(op));
      return isUnlisted ? undefined : value;
    }),
  ) as Tool;
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

/** Those that only read come first: they show an object, the others change it. */
const byReading = [...tools.values()].toSorted(
  (a, b) => Number(b.mode === 'read') - Number(a.mode === 'read'),
);

/** Its output and the objects in it that have a name. */
const answeredBy = new Map(
  byReading.map((op) => [op, [op.output as Json, ...namedIn(op.output as Json)]]),
);

const shows = new WeakMap<Listed, ReadonlyMap<Json, AnyOperation>>();

/** For each object that tools of this list answer, the one that shows it in full. */
function shownBy(listed: Listed): ReadonlyMap<Json, AnyOperation> {
  let found = shows.get(listed);
  if (!found) {
    const listedByReading = byReading.filter((one) => listed.has(one));
    const ofOutputs = listedByReading.map((one) => [one.output as Json, one] as const);
    const outputs = new Set(ofOutputs.map(([output]) => output));
    const inside = listedByReading.flatMap((one) =>
      namedIn(one.output as Json, outputs).map((object) => [object, one] as const),
    );
    // Of those with the same object the first is kept.
    found = new Map([...ofOutputs, ...inside].toReversed());
    shows.set(listed, found);
  }
  return found;
}

/**
 * A result without bounds, which are for those who write a value, and without the fields of objects
 * that another tool of the list shows.
 */
function resultOf(op: AnyOperation, listed: Listed): Json {
  const short = (schema: Json): Json | undefined => {
    const first = shownBy(listed).get(schema);
    if (!first || first === op) return undefined;
    const { type, required } = schema;
    return { type, required, description: `As ${first.name} answers.` };
  };
  const unbounded = (one: Json) =>
    Object.fromEntries(Object.entries(one).filter(([keyword]) => !BOUNDS.has(keyword)));
  return shown(mapped(op.output, unbounded, short));
}

/** The objects in a schema that have a name, but not what is in those that are shown elsewhere. */
function namedIn(schema: Json, elsewhere: ReadonlySet<Json> = new Set()): Json[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties as Json), items, ...(anyOf as Json[])] as Json[];
  return inner
    .filter((one) => one !== undefined && !elsewhere.has(one))
    .flatMap((one) => [...(one.title === undefined ? [] : [one]), ...namedIn(one, elsewhere)]);
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
