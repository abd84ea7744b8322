/** A refusal of a node: it rejects a transaction, or knows no such object. The caller reads it. */
export class Rejected extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A node's refusal of a group of transactions. */
export const rejected = (message: string): Rejected =>
  new Rejected(`TransactionPool.Remember: ${message}`);
