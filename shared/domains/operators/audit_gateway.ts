/** The result of a run of all proofs over the database. */
export interface AuditReport {
  /** A moment before which all that is committed is in the snapshot. */
  readonly at: Date;
  /** Server that answered. */
  readonly server: 'primary' | 'standby';
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
  readonly differences: readonly { readonly proof: string; readonly row: object }[];
}

/** Runs the proofs in one read-only snapshot, which nobody waits for. */
export interface AuditGateway {
  run(): Promise<AuditReport>;
}
