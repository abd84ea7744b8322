import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

import { refusalsOf } from '../api/docs/refusals_of.ts';
import { published, tools } from '../shared/composition/catalog.ts';
import { ApprovalRequired } from '../shared/domains/approvals/ask.ts';
import { isDeferrable } from '../shared/jobs/deferral.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { DryRun } from '../shared/kernel/terms/dry_run.ts';
import type { RefusalCode } from '../shared/kernel/refusal.ts';

/**
 * The rule for every answer of every operation in every test: it matches the output schema of the
 * operation, with nothing more, or is a pending answer, or a refusal of the one shape.
 */
export function checkAnswer(route: string, sent: unknown, reply: Answer): void {
  const [op, answer] = answerOf(route, sent, reply);
  if (!op || answer === undefined) return;
  const { status } = reply;
  const problem =
    status >= 400
      ? (failing(refused, answer) ?? undeclared(op, answer))
      : status === 202
        ? failing(isDeferral(answer) && isDeferrable(op) ? asked : pending, answer)
        : isTried(answer)
          ? failing(tried, answer)
          : (failing(validatorOf(op), answer) ?? jobProblem(op, answer));
  if (problem)
    throw new Error(`${route} answers ${status}, which its schema does not allow: ${problem}`);
}

/** A client that was generated from the document knows only the codes that it declares. */
function undeclared(op: AnyOperation, answer: unknown): string | undefined {
  const { error } = answer as { error: RefusalCode };
  return refusalsOf(op).includes(error) ? undefined : `${op.name} does not declare ${error}`;
}

/** Undefined if it is no JSON: not every interface answers with JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

const ajv = formats.default(new Ajv({ allErrors: true, multipleOfPrecision: 3 }));
const validators = new Map<AnyOperation, ValidateFunction>();

function validatorOf(op: AnyOperation): ValidateFunction {
  let validate = validators.get(op);
  if (!validate) validators.set(op, (validate = ajv.compile(op.output)));
  return validate;
}

const refused = ajv.compile({
  type: 'object',
  additionalProperties: false,
  required: ['success', 'error', 'message', 'details', 'retryable', 'next_actions', 'request_id'],
  properties: {
    success: { const: false },
    error: { type: 'string', pattern: '^[a-z_]+$' },
    message: { type: 'string', minLength: 1 },
    details: { type: 'object' },
    retryable: { type: 'boolean' },
    next_actions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool', 'route'],
        properties: {
          tool: { type: 'string' },
          route: { type: 'string' },
          scope: { enum: ['read', 'buy', 'sell'] },
        },
      },
    },
    request_id: { type: 'string', minLength: 1 },
    payment: {
      type: 'object',
      additionalProperties: false,
      required: ['in_wallet', 'amount', 'payer', 'transaction'],
      properties: {
        in_wallet: { const: true },
        amount: { type: 'number' },
        payer: { type: 'string', pattern: '^0x[0-9a-f]{40}$' },
        transaction: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
      },
    },
    x402Version: { enum: [1, 2] },
    accepts: { type: 'array', minItems: 1, items: { type: 'object' } },
    resource: { type: 'object' },
  },
});

const pending = ajv.compile({
  type: 'object',
  additionalProperties: false,
  required: ['status', 'job_id', 'poll'],
  properties: {
    status: { const: 'pending' },
    job_id: { type: 'string', format: 'uuid' },
    poll: { type: 'string', pattern: '^/api/v1/(admin/)?jobs/' },
  },
});

const asked = ajv.compile(ApprovalRequired);
const tried = ajv.compile(DryRun);

const isTried = (answer: unknown): boolean =>
  (answer as { dry_run?: unknown } | null)?.dry_run === true;

const isDeferral = (answer: unknown): boolean =>
  (answer as { status?: unknown }).status === 'approval_required';

/**
 * A complete job's result matches the schema of its operation, a failed job's error is a refusal.
 */
function jobProblem(op: AnyOperation, answer: unknown): string | undefined {
  if (op.name !== 'get_job') return undefined;
  const { operation, status, result, error, approval } = answer as Record<string, unknown>;
  if (status === 'failed') return failing(refused, error);
  if (approval !== undefined) return isDeferral(approval) ? failing(asked, approval) : undefined;
  const inner = published.find(({ name }) => name === operation);
  return status === 'complete' && inner ? failing(validatorOf(inner), result) : undefined;
}

function failing(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  return `${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`;
}

/** The operation that was called and its own answer, which a tool's result contains. */
function answerOf(
  route: string,
  sent: unknown,
  { body }: Answer,
): [AnyOperation | undefined, unknown] {
  const [method, url] = route.split(' ') as [string, string];
  // The path that fetch sends: without its dots.
  const path = new URL(`http://any${url}`).pathname;
  if (path === '/api/v1/mcp/call') {
    const { tool, name = tool } = (sent ?? {}) as { tool?: string; name?: string };
    const op = tools.get(String(name));
    const { structuredContent } = (body ?? {}) as { structuredContent?: object };
    return [op, resultOf(op, structuredContent)];
  }
  const matching = routes.filter((route) => route.method === method && route.pattern.test(path));
  const op = matching.find(({ exact }) => exact)?.op ?? matching[0]?.op;
  return [op, resultOf(op, body)];
}

/** Beside its result, a read names arguments that it did not use. */
function resultOf(op: AnyOperation | undefined, answer: unknown): unknown {
  if (op?.mode !== 'read' || !Object.hasOwn(Object(answer), 'ignored')) return answer;
  const { ignored: _, ...result } = answer as { ignored: unknown };
  return result;
}

const routes = published.flatMap((op) =>
  [op.rest, op.bindings?.alias].flatMap((route) => {
    if (!route) return [];
    const [method, path] = route.split(' ') as [string, string];
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
    return { op, method, pattern, exact: !path.includes(':') };
  }),
);
