/** What a run of all proofs over the database found. */
export interface AuditReport {
  readonly at: Date;
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
  readonly differences: readonly { readonly proof: string; readonly row: object }[];
}

/** The database as one that only reads sees it: in one snapshot that nobody waits for. */
export interface AuditGateway {
  run(): Promise<AuditReport>;
}
