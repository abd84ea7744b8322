import { SCOPES } from '../../shared/kernel/caller.ts';
import { WAIT_SECONDS_MAX } from '../../shared/jobs/settings.ts';
import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { canDryRun } from '../../shared/kernel/terms/dry_run.ts';
import { OneOf, Type, type TObject, type TSchema } from '../../shared/kernel/schema.ts';
import { canWait } from './wait_preference.ts';

/** Fields and answers that every interface adds to those of the operation. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Unique per call. A repeat gets the first answer, for 72 hours.',
});
export const Wait = Type.Integer({
  minimum: 0,
  maximum: WAIT_SECONDS_MAX,
  description: 'Seconds to wait for the result or the next event.',
});
export const DryRunField = Type.Boolean({
  description: 'Changes nothing: says what would happen.',
});
export const Pending = Type.Object(
  {
    status: Type.Literal('pending'),
    job_id: Type.String({ description: 'Job id, for get_job.' }),
    poll: Type.String({ description: 'Path to poll for the result.' }),
  },
  {
    title: 'Pending',
    additionalProperties: false,
    description: 'The call was accepted and is not finished yet.',
  },
);
export const Refused = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'Error code.' }),
    message: Type.String({ description: 'Explanation for a person.' }),
    details: Type.Object({}, { additionalProperties: true }),
    retryable: Type.Boolean({ description: 'True if the same call may succeed later.' }),
    next_actions: Type.Array(
      Type.Object(
        {
          tool: Type.String(),
          route: Type.String(),
          scope: Type.Optional(OneOf(SCOPES, 'Scope that the key needs.')),
        },
        { additionalProperties: false },
      ),
    ),
    request_id: Type.String(),
    payment: Type.Optional(
      Type.Object(
        {
          in_wallet: Type.Literal(true),
          amount: Type.Number({ description: 'Amount in USD.' }),
          payer: Type.String({ description: 'Address that paid.' }),
          transaction: Type.String({ description: 'Transaction hash.' }),
        },
        { additionalProperties: false, description: 'The x402 payment made for this call.' },
      ),
    ),
    x402Version: Type.Optional(
      Type.Integer({ description: 'Version of x402, if a payment would help.' }),
    ),
    accepts: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'Payment terms in the format of x402.',
      }),
    ),
    resource: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Resource that the payment is for.' },
      ),
    ),
  },
  {
    title: 'Error',
    additionalProperties: false,
    description: 'The call was refused and nothing was done.',
  },
);

/** The input of an operation in REST's dialect. */
export const restInputOf = ({ bindings, input }: AnyOperation): TObject =>
  bindings?.dialect?.input ?? input;

/**
 * An input as documents list it, where a field that only another may replace (InputUnless) is
 * required: the specification says so, and many clients know no conditions.
 */
export function withoutCondition(schema: TObject): TObject {
  const { if: condition, else: otherwise, required = [], ...rest } = schema as Conditional;
  // Any other condition has a then.
  if (!condition || 'then' in rest) return schema;
  return { ...rest, required: [...required, ...(otherwise?.required ?? [])] } as TObject;
}

interface Conditional {
  readonly if?: object;
  readonly else?: { readonly required: readonly string[] };
  readonly required?: readonly string[];
}

/** The fields of a tool call that the interface reads and the operation does not. */
export const interfaceFieldsOf = (op: AnyOperation) => ({
  ...(takesKey(op) && { idempotency_key: Type.Optional(IdempotencyKey) }),
  ...(canWait(op) && { wait: Type.Optional(Wait) }),
  ...(canDryRun(op) && { dry_run: Type.Optional(DryRunField) }),
});

/**
 * A schema as callers see it: without its name, which is for documents, and without multipleOf.
 * Most validators divide, and find that 0.0011 is no multiple of 0.000001. Our validator does not
 * divide; it refuses a number of more than six decimals.
 */
export function shown<T extends TSchema | TObject>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      (name === 'multipleOf' && typeof value === 'number') ||
      (name === 'title' && typeof value === 'string')
        ? undefined
        : value,
    ),
  ) as T;
}
