/** A node does not take a transaction, or knows of no such thing. The message is for who asked. */
export class Rejected extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** As a node says why it does not take a group of transactions. */
export const rejected = (message: string): Rejected =>
  new Rejected(`TransactionPool.Remember: ${message}`);
