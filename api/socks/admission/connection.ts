import type { Owner } from '../../../shared/domains/proxies/sale/key_owners.ts';

/** An open connection of a client that has logged in. */
export interface Connection {
  readonly id: string;
  readonly owner: Owner;
  /** Whether no cash has ever come into its tree. */
  readonly isOnCredit: boolean;
  /** Bytes that its client has sent and received so far. */
  bytes(): number;
  /** Ends the connection when aborted; the reason is for the log. */
  readonly ended: AbortController;
}
