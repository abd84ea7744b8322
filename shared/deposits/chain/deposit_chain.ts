/**
 * One network that money comes in on, as its providers see it. A provider that is of another
 * network is never asked twice. What fewer providers than the quorum say is not believed: then a
 * call throws, as it does when they do not answer, and it is made again later.
 */
export interface DepositChain {
  /** The transaction, in at most two questions to each provider. */
  read(txId: string): Promise<ChainTransaction>;
  /** The newest position whose blocks are final, so that nothing in them can change. */
  finalPosition(): Promise<Position>;
  /**
   * What was paid to these recipients (addresses of ours, and of single agents) in the blocks of
   * these positions, both included, oldest first. All of them are final. Refuses a longer stretch
   * than `stretchMax`.
   */
  scan(from: number, to: number, recipients: Recipients): Promise<readonly ChainTransfer[]>;
  /** How many positions one scan may look at. */
  readonly stretchMax: number;
}

/** Whom payments are sought to: a set, or what knows so many that it does not keep their names. */
export interface Recipients extends Iterable<string> {
  readonly size: number;
  /** May be true of an address in very many that is none. */
  has(address: string): boolean;
}

/** More than so many need not be iterable. */
export const RECIPIENTS_NAMED_MAX = 1_000;

/** A block, slot or round of a network, and when it was made. */
export interface Position {
  readonly number: number;
  readonly at: Date;
}

/**
 * unknown: no provider knows it, or not yet. failed: it is final and moved nothing. unfinal: it may
 * still be dropped. final: what it moved is there for good.
 */
export type ChainTransaction =
  | { readonly status: 'unknown' }
  | { readonly status: 'failed' }
  | {
      readonly status: 'unfinal' | 'final';
      /** All that it paid in accepted assets, to whomever. */
      readonly transfers: readonly ChainTransfer[];
      /** What looks like a payment and is none that counts, one sentence each, for the payer. */
      readonly notes: readonly string[];
    };

/** One payment in an accepted asset, inside a transaction that succeeded. */
export interface ChainTransfer {
  /** The one spelling of its transaction's id. */
  readonly txId: string;
  /** Of the transfers in the transaction. The same whoever reads it, and whenever. */
  readonly index: number;
  /** The sign of one of the network's assets, as USDC. */
  readonly asset: string;
  /** In base units of the asset. */
  readonly amount: bigint;
  /** Whose money it was, by the one spelling of its address: of EVM networks in lower case. */
  readonly from: string;
  readonly to: string;
  /**
   * What the payer wrote into it to say whom it is for: a note, a memo, or the 32 bytes that the
   * router was called with, as 0x and 64 digits.
   */
  readonly reference?: string;
  readonly position: number;
  /** When its block was made. */
  readonly at: Date;
}
