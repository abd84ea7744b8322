import type { IncomingHttpHeaders } from 'node:http';

import { invalid } from '../../shared/kernel/schema.ts';

/** Names in use for the Idempotency-Key, in arguments and in `_meta`. */
export const KEY_NAMES = [
  'idempotency_key',
  'idempotencyKey',
  'idempotency-key',
  'Idempotency-Key',
];
/** Counts as the key where none of those is given: some clients name it so for their repeats. */
export const REQUEST_ID = 'request_id';

/** Headers in use for the Idempotency-Key; the second is what some other services call theirs. */
const KEY_HEADERS = ['idempotency-key', 'x-idempotency-key'] as const;

/** Idempotency keys in the headers of a request. */
export const keysInHeaders = (headers: IncomingHttpHeaders): readonly unknown[] =>
  KEY_HEADERS.map((name) => headers[name]);

/** Idempotency keys in the `_meta` of a request, under any of their names. */
export const keysInMeta = (meta: Readonly<Record<string, unknown>>): readonly unknown[] =>
  KEY_NAMES.map((name) => meta[name]);

/** The key among these, of which the absent ones are undefined or null. Refuses two that differ. */
export function keyIn(keys: readonly unknown[], requestId: unknown): string | undefined {
  return oneOf(keys.filter(isGiven)) ?? oneOf([requestId].filter(isGiven), REQUEST_ID);
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function oneOf(keys: readonly unknown[], name = KEY_NAMES[0]!): string | undefined {
  const [first] = keys;
  const pointer = `/${name}`;
  if (first !== undefined && typeof first !== 'string') {
    throw invalid([{ pointer, message: 'must be a string' }]);
  }
  if (keys.every((one) => one === first)) return first;
  throw invalid([{ pointer, message: 'was sent twice, with different values' }]);
}

/** Moves idempotency keys beside the arguments of a message into `_meta`: the SDK drops them. */
export function moveKeysToMeta(params: Record<string, unknown>): void {
  for (const name of KEY_NAMES.filter((one) => isGiven(params[one]))) {
    const meta = { ...(params._meta as object) };
    // Each key takes a free name there, so that two different keys are found.
    const free = KEY_NAMES.find((one) => !Object.hasOwn(meta, one));
    if (free) params._meta = { ...meta, [free]: params[name] };
  }
}
