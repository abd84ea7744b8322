import { openVerification } from '../../workers/gateways/verification/verification.ts';
import type { TestPlatform } from '../harness.ts';

/** A schema whose check has no end: each level looks at the next one twice. */
export const ENDLESS = {
  $defs: Object.fromEntries(
    Array.from({ length: 26 }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, n === 25 ? { type: 'array', minItems: 1 } : { anyOf: [next, next] }];
    }),
  ),
  $ref: '#/$defs/d0',
};

/**
 * A check without an end is ended after a quarter of its time: the rest would only compute. A check
 * that has an end computes for a millisecond.
 */
export function endChecksSoon({ context }: TestPlatform): void {
  const value = openVerification({ checkMs: 250 });
  Object.defineProperty(context.gateways, 'verification', { value });
}
