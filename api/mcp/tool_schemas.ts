import type { Tool } from '@modelcontextprotocol/server';

import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { isDeferrable } from '../../shared/jobs/deferral.ts';
import { canDryRun } from '../../shared/kernel/terms/dry_run.ts';
import { interfaceFieldsOf, shown, withoutCondition } from '../http/schemas.ts';
import { tools, toolsNamedIn, withoutUnlisted } from './tool_names.ts';

/* A client loads all tools before anything else, so whatever they do not need is left out. */

/** Errors of every tool, in short. `marketplace://errors` has them in full. */
const REFUSED = {
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'string' }, message: { type: 'string' } },
};
const PENDING = {
  type: 'object',
  description: 'Unfinished: call get_job.',
  required: ['status', 'job_id'],
  properties: { status: { const: 'pending' }, job_id: { type: 'string' } },
};

const APPROVAL_REQUIRED = {
  type: 'object',
  description: 'Awaits owner approval.',
  required: ['status', 'approval_id'],
  properties: { status: { const: 'approval_required' }, approval_id: { type: 'integer' } },
};

const DRY_RUN = { type: 'object', required: ['dry_run', 'would'] };

type ToolSet = ReadonlySet<AnyOperation>;

const KEPT_MAX = 500;
const kept = new Map<string, Tool>();

/**
 * An operation as a tool of a list. Its texts name no tool that the list lacks. The cache key is
 * the set of its listed neighbours, because callers choose the lists.
 */
export function toolOf(op: AnyOperation, listed: ToolSet): Tool {
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
 * destructiveHint: it takes money from the wallet, or changes or ends something irreversibly.
 * idempotentHint: repeating the call changes nothing more. openWorldHint: it asks systems outside
 * the marketplace.
 */
function madeOf(op: AnyOperation, listed: ToolSet): Tool {
  const isRead = op.mode === 'read';
  const fields = { ...op.input.properties, ...interfaceFieldsOf(op) };
  const answers = [
    resultOf(op, listed),
    ...(op.mode === 'job' ? [PENDING] : []),
    ...(isDeferrable(op) ? [APPROVAL_REQUIRED] : []),
    ...(canDryRun(op) ? [DRY_RUN] : []),
    REFUSED,
  ];
  return {
    name: op.name,
    title: op.title,
    description: op.summary,
    inputSchema: inputOf(
      shown({ ...withoutCondition(op.input), properties: fields }),
    ) as Tool['inputSchema'],
    // Refusals are included: some clients check structuredContent even if isError is set.
    outputSchema: { type: 'object', anyOf: answers },
    annotations: {
      title: op.title,
      readOnlyHint: isRead,
      destructiveHint: op.effects?.destructive ?? false,
      idempotentHint: isRead || (op.effects?.idempotent ?? false),
      // In the API process `gather` only computes; the network is for workers.
      openWorldHint: op.mode === 'job' && op.gather !== undefined,
    },
  };
}

const neighbours = new Map<AnyOperation, readonly AnyOperation[]>();

/** The operations that its texts name, and those that answer one of its objects. */
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

/** Leaves out an enum that names an unlisted tool: answers may hold the value all the same. */
function withTextsFor(listed: ToolSet, tool: Tool): Tool {
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
 * An input without unions, `uniqueItems` and formats other than that of a time, because some
 * clients (Gemini's) refuse a whole list for one: it shows only the first form. Calls may use the
 * other forms too.
 */
function inputOf(schema: Json): Json {
  const isTaken = ([keyword, value]: [string, unknown]) =>
    keyword !== 'uniqueItems' && (keyword !== 'format' || value === 'date-time');
  return mapped(schema, ({ anyOf, ...others }) => {
    const rest = Object.fromEntries(Object.entries(others).filter(isTaken));
    return Array.isArray(anyOf) ? { ...(anyOf[0] as Json), ...rest } : rest;
  });
}

/** Operations, reads first: a read shows an object, and the others change it. */
const byReading = [...tools.values()].toSorted(
  (a, b) => Number(b.mode === 'read') - Number(a.mode === 'read'),
);

/** The output of each operation, and the named objects in it. */
const answeredBy = new Map(
  byReading.map((op) => [op, [op.output as Json, ...namedIn(op.output as Json)]]),
);

const shows = new WeakMap<ToolSet, ReadonlyMap<Json, AnyOperation>>();

/** For each object that listed tools answer, the tool that shows it in full. */
function shownBy(listed: ToolSet): ReadonlyMap<Json, AnyOperation> {
  let found = shows.get(listed);
  if (!found) {
    const listedByReading = byReading.filter((one) => listed.has(one));
    const ofOutputs = listedByReading.map((one) => [one.output as Json, one] as const);
    const outputs = new Set(ofOutputs.map(([output]) => output));
    const inside = listedByReading.flatMap((one) =>
      namedIn(one.output as Json, outputs).map((object) => [object, one] as const),
    );
    // If several show the same object, the first is kept.
    found = new Map([...ofOutputs, ...inside].toReversed());
    shows.set(listed, found);
  }
  return found;
}

/**
 * A result without bounds, which matter only to writers, and without the fields of objects that
 * another tool of the list shows, or that it has shown before.
 */
function resultOf(op: AnyOperation, listed: ToolSet): Json {
  const shownHere = new Set<Json>();
  const short = (schema: Json): Json | undefined => {
    const { type, required } = schema;
    const first = shownBy(listed).get(schema);
    if (first && first !== op) return { type, required, description: `See ${first.name}.` };
    if (shownHere.has(schema)) return { type, required, description: 'Same fields as above.' };
    if (type === 'object') shownHere.add(schema);
    return undefined;
  };
  const unbounded = (one: Json) =>
    Object.fromEntries(Object.entries(one).filter(([keyword]) => !BOUNDS.has(keyword)));
  return shown(mapped(op.output, unbounded, short));
}

/** The named objects in a schema, but not those inside objects that are shown elsewhere. */
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

/** Maps the schema and every schema in it, unless `short` has a replacement for it. */
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
