import { SCOPES } from '../../shared/agents/agents.ts';
import { WAIT_SECONDS_MAX } from '../../shared/jobs/settings.ts';
import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { OneOf, Type, type TObject, type TSchema } from '../../shared/kernel/schema.ts';
import { canWait } from './wait_preference.ts';

/** Fields and answers that every interface has beside those of the operation. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'New for each call. A repeat gets the first answer, for 72 hours.',
});
export const Wait = Type.Integer({
  minimum: 0,
  maximum: WAIT_SECONDS_MAX,
  description: 'Seconds to wait for the end of a job or the next event.',
});
export const Pending = Type.Object(
  {
    status: Type.Literal('pending'),
    job_id: Type.String({ description: 'Ask get_job about it.' }),
    poll: Type.String({ description: 'The same as a path.' }),
  },
  { title: 'Pending', additionalProperties: false, description: 'Accepted and not finished yet.' },
);
export const Refused = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'A code.' }),
    message: Type.String({ description: 'A sentence for a person.' }),
    details: Type.Object({}, { additionalProperties: true }),
    retryable: Type.Boolean({ description: 'The same call may pass later.' }),
    next_actions: Type.Array(
      Type.Object(
        {
          tool: Type.String(),
          route: Type.String(),
          scope: Type.Optional(OneOf(SCOPES, 'What a key needs for it.')),
        },
        { additionalProperties: false },
      ),
    ),
    request_id: Type.String(),
    payment: Type.Optional(
      Type.Object(
        {
          in_wallet: Type.Literal(true),
          amount: Type.Number({ description: 'USD.' }),
          payer: Type.String({ description: 'The address that paid.' }),
          transaction: Type.String({ description: 'Its hash.' }),
        },
        { additionalProperties: false, description: 'What was paid by x402 for this call.' },
      ),
    ),
    x402Version: Type.Optional(Type.Integer({ description: 'A payment by x402 would help.' })),
    accepts: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'Its terms, as x402 words them.',
      }),
    ),
    resource: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'What it pays for.' }),
    ),
  },
  { title: 'Error', additionalProperties: false, description: 'Refused, and nothing was done.' },
);

/** The input of an operation as REST words it. */
export const restInputOf = ({ dialect, input }: AnyOperation): TObject => dialect?.input ?? input;

/** The fields of a tool call that are for the interface and not for the operation. */
export const interfaceFieldsOf = (op: AnyOperation) => ({
  ...(takesKey(op) && { idempotency_key: Type.Optional(IdempotencyKey) }),
  ...(canWait(op) && { wait: Type.Optional(Wait) }),
});

/**
 * A schema as callers see it: without its name, which is for documents, and without multipleOf.
 * Most validators divide, and find that 0.0011 is no multiple of 0.000001. Ours does not, and
 * refuses a number of more than six decimals.
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

/**
 * An input without the nulls of optional fields. A caller that follows the strict rules of OpenAI's
 * functions must send every field, and sends null for "not given". A null of a required field is
 * kept, for its schema to allow or to refuse, and so is one of a field that means something by it.
 */
export function withoutNulls(schema: TObject, input: object): object {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null ||
    !Object.hasOwn(schema.properties, name) ||
    isRequired(schema, name) ||
    takesNull(schema.properties[name]!);
  const entries = Object.entries(input);
  return entries.every(isGiven) ? input : Object.fromEntries(entries.filter(isGiven));
}

const isRequired = (schema: TObject, name: string): boolean =>
  (schema.required as readonly string[] | undefined)?.includes(name) ?? false;

/** Null is a value of this field, and not the absence of one. */
export const takesNull = ({ anyOf = [] }: { readonly anyOf?: readonly { type?: unknown }[] }) =>
  anyOf.some(({ type }) => type === 'null');
