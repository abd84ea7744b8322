/** One wrong rule: a change of one line of code or SQL that tests must notice. */
export interface Mutation {
  /** Says the wrong rule, in snake_case: `fee_rounds_down`. Unique among all mutations. */
  readonly name: string;
  /** A path in the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** The test files that must notice, that which most probably does first. */
  readonly tests: readonly string[];
  /** Only the tests whose names match, as mocha's option of this name. */
  readonly grep?: string;
  /** Why no test can notice: it may survive, and must. */
  readonly equivalent?: string;
}
