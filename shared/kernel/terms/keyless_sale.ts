import type { Static, TSchema } from '../schema.ts';

/**
 * The sale of an operation to callers without a key: its answer is all that they get, and gives
 * no right over an agent.
 */
export interface KeylessSale<O extends TSchema> {
  /** The operation whose result is added, where the answer is not what was bought. */
  readonly deliveredBy?: (result: Static<O>) => {
    readonly operation: string;
    readonly input: object;
  };
}
