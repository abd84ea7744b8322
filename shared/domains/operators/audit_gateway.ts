/** The result of a run of all proofs over the database. */
export interface AuditReport {
  readonly at: Date;
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
  readonly differences: readonly { readonly proof: string; readonly row: object }[];
}

/** Runs the proofs in one read-only snapshot, which nobody waits for. */
export interface AuditGateway {
  run(): Promise<AuditReport>;
}
