/** An error that Stripe answers in place of an object: `{"error": {…}}`. */
interface StripeErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: object;
  readonly payment_method?: object;
}

/** An answer with a status of 400 or more. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  constructor(status: number, body: StripeErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** A request that is invalid by itself. */
export function invalid(message: string, more: { param?: string; code?: string } = {}) {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...more });
}

/** `what` is Stripe's name for the object; `param` is the field that named it. */
export function missing(what: string, id: string, param = 'id') {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param,
  });
}
