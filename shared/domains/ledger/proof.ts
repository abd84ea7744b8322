/**
 * Something that must be true of the stored data at every commit. Each domain lists its own in
 * `proofs.ts`; shared/composition/audit.ts runs them all.
 */
export interface Proof {
  /** A sentence that is true when the statement finds nothing. */
  readonly name: string;
  /** Selects the rows that are wrong, with the numbers that disagree. */
  readonly sql: string;
}
