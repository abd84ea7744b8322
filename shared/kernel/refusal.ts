import { isMisfit } from '../platform/fault.ts';

/**
 * A refusal is an expected "no": it has a code the caller can act on and is safe to show as it is.
 * Everything else that is thrown is a fault: logged, answered with 500, and retried by the queue.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: object;
  /** Headers of the answer over HTTP; not stored with the refusal of a job. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of operations that help here, besides those of the code. */
  readonly next: readonly string[];

  constructor(
    code: RefusalCode,
    message: string,
    details: object = {},
    headers: Readonly<Record<string, string>> = {},
    next: readonly string[] = [],
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.next = next;
  }

  get status(): number {
    return CODES[this.code].status;
  }

  /** Whether it refuses an excess of calls, and not this call itself. */
  get isOfExcess(): boolean {
    return this.code === 'queue_overloaded' || this.code === 'rate_limited';
  }

  /** Whether immediate repeats have to wait: it refuses an excess or a guessed key. */
  get isPaced(): boolean {
    return this.isOfExcess || this.code === 'invalid_key';
  }

  /**
   * Whether a call's Idempotency-Key stays bound to this answer. It does not if the same call may
   * succeed later: stock and money can be added, limits reset, faults fixed.
   */
  get bindsKey(): boolean {
    const { status, retryable } = CODES[this.code];
    return !retryable && !FREEING.includes(status) && status < 500;
  }
}

const FREEING: readonly number[] = [401, 402, 409, 429];

interface Code {
  readonly status: number;
  /**
   * Whether the same call with the same key may succeed later without a change by the caller.
   */
  readonly retryable: boolean;
  /** Names of the operations that help (composition/error_body.ts adds their routes). */
  readonly next: readonly string[];
}

const code = (status: number, retryable = false, ...next: string[]): Code => ({
  status,
  retryable,
  next,
});

/** The codes of the specification's table in its order, then further codes. */
export const CODES = {
  authentication_required: code(401, false, 'register_agent'),
  invalid_key: code(401, false, 'register_agent'),
  insufficient_scope: code(403, false, 'agent_me'),
  insufficient_balance: code(402, false, 'get_wallet'),
  out_of_stock: code(400, true, 'search_assets'),
  product_unavailable: code(400, false, 'search_assets'),
  daily_limit_exceeded: code(402, true, 'get_wallet'),
  self_purchase: code(400, false, 'search_assets'),
  not_found: code(404),
  validation_error: code(422),

  forbidden: code(403, false, 'agent_me'),
  invalid_transition: code(409),
  price_changed: code(409, false, 'prepare_purchase_payload'),
  hash_mismatch: code(422, false, 'get_task'),
  verification_failed: code(422, false, 'get_task', 'get_labor_task'),
  ambiguous_submission: code(409, false, 'task_mine'),
  claim_expired: code(409, false, 'list_labor_tasks'),
  idempotency_conflict: code(422),
  payment_required: code(402, false, 'register_agent'),
  payment_invalid: code(402),
  payment_failed: code(402),
  payment_used: code(409),
  payment_pending: code(503, true),
  transaction_unknown: code(404, true),
  deposit_invalid: code(422, false, 'get_wallet'),
  deposit_unbound: code(409, false, 'link_wallet', 'claim_deposit', 'get_wallet'),
  already_credited: code(409, false, 'list_deposits'),
  signature_invalid: code(422, false, 'link_wallet'),
  wallet_taken: code(409),
  address_taken: code(409),
  tx_limit_exceeded: code(402, false, 'get_wallet'),
  product_type_not_allowed: code(403, false, 'agent_me'),
  seller_not_allowed: code(403, false, 'agent_me'),
  agent_suspended: code(403, false, 'agent_me'),
  approval_denied: code(403),
  approval_cancelled: code(409),
  approval_expired: code(409, true),
  rate_limited: code(429, true),
  queue_overloaded: code(503, true),
  service_unavailable: code(503, true),
  rail_unavailable: code(503, false, 'get_wallet'),
  payload_too_large: code(413),
  unsupported_encoding: code(415),
  range_not_satisfiable: code(416),
  bad_request: code(400),
  request_timeout: code(408, true),
  method_not_allowed: code(405),
  internal_error: code(500, true),
} as const satisfies Record<string, Code>;

export type RefusalCode = keyof typeof CODES;

/** The refusal for anything thrown: a refusal unchanged, a fault without any detail. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isMisfit(error)) {
    return new Refusal(
      'service_unavailable',
      'This server and its database are of different versions, as during an upgrade. Retry ' +
        'later; with an Idempotency-Key that is safe.',
    );
  }
  return new Refusal(
    'internal_error',
    'Something went wrong on our side. Try again; with an Idempotency-Key that is safe.',
  );
}

const OVERLOADED = new Refusal(
  'queue_overloaded',
  'Too many calls at once. Nothing was done: retry later.',
);

/** One shared object, because it is thrown most often under overload. */
export const overloaded = (): Refusal => OVERLOADED;
