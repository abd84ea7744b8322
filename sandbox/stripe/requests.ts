import { createHash } from 'node:crypto';

import type { Account } from './account.ts';
import { fieldsOf } from './form.ts';
import { expanded } from './objects/lists.ts';
import { StripeRefusal } from './refusal.ts';
import { routeOf } from './routes.ts';
import type { Store, StoredAnswer } from './store.ts';

/** An API request with the key of the account. */
interface ApiRequest {
  readonly id: string;
  readonly method: string;
  readonly at: URL;
  readonly body: string;
  /** Idempotency key; empty: none. */
  readonly key: string;
}

/**
 * Handles a request, or repeats the answer of an earlier one with the same key. It is synchronous,
 * so no other request comes between. Throws StripeRefusal.
 */
export function answerRequest(account: Account, request: ApiRequest) {
  const { store } = account;
  const { id, key } = request;
  if (!key) return { ...act(account, request), headers: {} };
  const fingerprint = fingerprintOf(request);
  const stored = findAnswer(store, key, fingerprint);
  if (stored) {
    const headers = {
      'idempotency-key': key,
      'idempotent-replayed': 'true',
      'original-request': stored.request,
    };
    return { status: stored.status, text: stored.body, headers };
  }
  const { status, text, binds } = act(account, request);
  if (binds) {
    const answer = { id: key, request: id, fingerprint, status, body: text };
    store.save<StoredAnswer>({ object: 'answer', ...answer });
  }
  return { status, text, headers: { 'idempotency-key': key, 'original-request': id } };
}

function act(account: Account, { method, at, body }: ApiRequest) {
  try {
    const route = routeOf(method, at.pathname);
    const { expand = [], ...fields } = fieldsOf(method === 'POST' ? body : at.search.slice(1));
    const object = route.handle(account, fields, route.id);
    const text = JSON.stringify(expanded(account, object, [expand].flat() as string[]));
    return { status: 200, text, binds: true };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    // A request that was refused before it did anything leaves its key free.
    const text = JSON.stringify({ error: error.body });
    return { status: error.status, text, binds: error.status === 402 };
  }
}

/** The parts by which two requests are the same. */
const fingerprintOf = ({ method, at, body }: ApiRequest) =>
  createHash('sha256').update(`${method} ${at.pathname}\n${body}`).digest('hex');

/** Stripe forgets after a day; the double does not. Throws if the parameters differ. */
function findAnswer(store: Store, key: string, fingerprint: string) {
  const answer = store.find('answer', key);
  if (!answer || answer.fingerprint === fingerprint) return answer;
  throw new StripeRefusal(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
