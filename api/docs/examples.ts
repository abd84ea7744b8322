import type { RefusalCode } from '../../shared/kernel/refusal.ts';
import recorded from './examples.json' with { type: 'json' };

/**
 * Calls and their answers, as test/api/docs/examples.test.ts made and got them: nothing here is
 * written by hand. `UPDATE_EXAMPLES=1 npm test -- test/api/docs/examples.test.ts` writes them anew.
 */
export const EXAMPLES = recorded as unknown as {
  readonly operations: Readonly<
    Record<string, { readonly input: Readonly<Record<string, unknown>>; readonly output: unknown }>
  >;
  readonly errors: Readonly<Partial<Record<RefusalCode, unknown>>>;
};
