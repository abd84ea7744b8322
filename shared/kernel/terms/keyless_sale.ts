import type { Static, TSchema } from '../schema.ts';

/**
 * The sale of an operation to callers without a key. They get the answer alone, and no right over
 * an agent.
 */
export interface KeylessSale<O extends TSchema> {
  /** The operation whose result is added, if the answer itself does not hold the bought item. */
  readonly deliveredBy?: (result: Static<O>) => {
    readonly operation: string;
    readonly input: object;
  };
}
