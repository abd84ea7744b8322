import type { Static, TSchema } from '../schema.ts';

/**
 * Of an operation that is sold to callers without a key: its answer is all that they get, and gives
 * no right over an agent.
 */
export interface SoldWithoutKey<O extends TSchema> {
  /** Where the answer is not what was bought: the operation whose result is added to it. */
  readonly deliveredBy?: (result: Static<O>) => {
    readonly operation: string;
    readonly input: object;
  };
}
