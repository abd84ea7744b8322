import { createHash } from 'node:crypto';

import { StripeRefusal } from './refusal.ts';
import type { Store, StoredAnswer } from './store.ts';

/** What makes two requests the same. */
export const fingerprintOf = (method: string, path: string, body: string) =>
  createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex');

/**
 * The answer to an earlier request with this key. Throws when that had other parameters. Stripe
 * forgets after a day; the double does not.
 */
export function answerOf(store: Store, key: string, fingerprint: string) {
  const answer = store.find('answer', key);
  if (!answer || answer.fingerprint === fingerprint) return answer;
  throw new StripeRefusal(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

/** Everything is stored that was not refused before it began. */
export function storeAnswer(store: Store, answer: Omit<StoredAnswer, 'object'>): void {
  store.save<StoredAnswer>({ object: 'answer', ...answer });
}
