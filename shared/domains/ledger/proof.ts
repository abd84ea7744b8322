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

/** The proof that each escrow of this kind is of an object, a row of `table` that names it. */
export const noStrayEscrow = (kind: string, noun: string, table: string): Proof => ({
  name: `no escrow is held for ${noun} that does not exist`,
  sql: `select h.id as transfer, h.ref from ledger.transfer h
         where h.kind = '${kind}.hold' and not exists (
           select from ${table} o where o.id = h.ref and o.escrow_id = h.id)`,
});
