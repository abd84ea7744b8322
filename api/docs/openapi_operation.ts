import { isDeferrable } from '../../shared/jobs/deferral.ts';
import { takesKey } from '../../shared/kernel/call.ts';
import { canDryRun } from '../../shared/kernel/terms/dry_run.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { CODES, type RefusalCode } from '../../shared/kernel/refusal.ts';
import { DryRunField, restInputOf, withoutCondition } from '../http/schemas.ts';
import { canWait } from '../http/wait_preference.ts';
import { pascal, type Components, type Schema } from './components.ts';
import { EXAMPLES } from './examples.ts';
import { refusalsOf } from './refusals_of.ts';
import { tagOf } from './tags.ts';

const READ = 'Done. `ignored` names the arguments that this read does not know, if there were any.';

const DONE_OR_TRIED = 'Done. With `dry_run`, nothing is, and the answer is a `DryRun`.';

/** Whether a method sends its input in the body, except the fields in the path. */
const mayHaveBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** The input over REST, with the field that the interface reads of calls that spend. */
function sentTo(op: AnyOperation): Schema {
  const { properties, ...schema } = withoutCondition(restInputOf(op)) as unknown as Schema;
  const fields = {
    ...properties,
    ...(canDryRun(op) && { dry_run: DryRunField as unknown as Schema }),
  };
  return { ...schema, properties: fields };
}

/** One operation at one of its routes, as OpenAPI describes it. */
export function describeOperation(
  op: AnyOperation,
  { method, path }: { readonly method: string; readonly path: string },
  components: Components,
) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const { properties, required = [] } = sentTo(op);
  const example = EXAMPLES.operations[op.name];
  const fields = Object.entries(properties ?? {});
  const others = fields.filter(([name]) => !inPath.includes(name));
  const hasBody = mayHaveBody(method) && others.length > 0;
  const parameter =
    (where: 'path' | 'query') =>
    ([name, schema]: (typeof fields)[number]) => {
      const sent = example?.input[name];
      return {
        name,
        in: where,
        required: required.includes(name),
        ...(schema.description && { description: schema.description }),
        schema: components.refer(schema, pascal(op.name) + pascal(name)),
        ...(sent !== undefined && { example: sent }),
      };
    };
  return {
    summary: op.title,
    description: op.summary,
    tags: [tagOf(op)],
    security: securityOf(op),
    parameters: [
      ...fields.filter(([name]) => inPath.includes(name)).map(parameter('path')),
      ...(hasBody ? [] : others.map(parameter('query'))),
      ...(takesKey(op) ? [reference('parameters', 'IdempotencyKey')] : []),
      ...(canWait(op) ? [reference('parameters', 'wait'), reference('parameters', 'Prefer')] : []),
    ],
    ...(hasBody && { requestBody: requestBodyOf(op, inPath, components) }),
    responses: {
      200: {
        description: op.mode === 'read' ? READ : canDryRun(op) ? DONE_OR_TRIED : 'Done.',
        ...json(components.refer(opened(op.output), `${pascal(op.name)}Result`), {
          ...(example && { example: example.output }),
        }),
      },
      ...accepted(op),
      ...refusalResponses(op, components),
    },
  };
}

/**
 * A result that may hold more than its fields: a read names arguments that it ignored, and later
 * releases add fields.
 */
const opened = (schema: object): Schema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as Schema;

function accepted(op: AnyOperation): object {
  const isJob = op.mode === 'job';
  if (!isDeferrable(op)) return isJob ? { 202: reference('responses', 'Pending') } : {};
  const name = isJob ? 'PendingOrApprovalRequired' : 'ApprovalRequired';
  return { 202: reference('responses', name) };
}

function requestBodyOf(op: AnyOperation, inPath: readonly string[], components: Components) {
  const { properties, required = [], ...rest } = sentTo(op);
  const isOther = (name: string) => !inPath.includes(name);
  const others = <T>(fields: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isOther(name)));
  const needed = required.filter(isOther);
  const schema = { ...rest, properties: others(properties), required: needed };
  const example = EXAMPLES.operations[op.name];
  return {
    required: needed.length > 0,
    ...json(components.refer(schema, `${pascal(op.name)}Input`), {
      ...(example && { example: others(example.input) }),
    }),
  };
}

/** Refusals by status. Their codes are an enum, so that a program can handle each of them. */
function refusalResponses(op: AnyOperation, components: Components) {
  const codes = refusalsOf(op);
  const schema = errorOf(op, codes, components);
  const statuses = new Set(codes.map((code) => CODES[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const names = codes.filter((code) => CODES[code].status === status);
      const shown = names.filter((code) => EXAMPLES.errors[code]);
      const examples = shown.map((code) => [code, reference('examples', code)] as const);
      return [
        status,
        {
          description: `Refused: ${names.join(', ')}.`,
          ...json(schema, shown.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
        },
      ];
    }),
  );
}

const errorOf = (op: AnyOperation, codes: readonly RefusalCode[], components: Components) =>
  components.add(`${pascal(op.name)}Error`, {
    allOf: [
      reference('schemas', 'Error'),
      { type: 'object', properties: { error: { type: 'string', enum: codes } } },
    ],
  });

function securityOf({ access }: AnyOperation): object[] {
  if (access === 'public') return [];
  return access === 'operator' ? [{ operator: [] }] : [{ bearer: [] }];
}

export const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
export const json = (schema: object, examples: object = {}) => ({
  content: { 'application/json': { schema, ...examples } },
});
