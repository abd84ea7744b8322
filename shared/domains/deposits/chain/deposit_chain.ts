/**
 * One network for deposits, as its providers see it. A provider on another network is not asked
 * again. If fewer providers than the quorum agree or answer, a call throws and is made again later.
 */
export interface DepositChain {
  /** Reads a transaction, with at most two requests to each provider. */
  read(txId: string): Promise<ChainTransaction>;
  /** The newest position whose blocks are final, so that they cannot change. */
  finalPosition(): Promise<Position>;
  /**
   * Payments to these recipients (shared addresses and those of single agents) in the blocks from
   * one position to another, both included, oldest first. All are final. Refuses more positions
   * than `stretchMax`.
   */
  scan(
    from: number,
    to: number,
    recipients: Recipients,
    options?: ScanOptions,
  ): Promise<readonly ChainTransfer[]>;
  /** Maximum positions of one scan, which depends on what the providers take. */
  readonly stretchMax: number;
  readonly balances: BalanceReader;
}

/** Reads balances after blocks that are final, and what has changed them. */
export type BalanceReader = PastBalances | ListedBalances;

interface HeldBalances {
  /** Balances of these addresses, in base units, in their order. */
  held(block: number, asset: string, addresses: readonly string[]): Promise<readonly bigint[]>;
}

/** A network that tells the balances of past blocks. */
export interface PastBalances extends HeldBalances {
  /** Payments in one block to these, those of our own wallets too. It is read whole. */
  paymentsIn(block: number, recipients: ReadonlySet<string>): Promise<BlockPayments>;
}

/**
 * A network that tells present balances and lists the transactions of an address: the balance after
 * a block is the present one without what they changed since.
 */
export interface ListedBalances extends HeldBalances {
  /** The last block, up to the end of a search, whose changes one reading can take. */
  reach(asset: string, search: ChangeSearch): Promise<number>;
  /** Changes by transactions of these addresses, with the payments among them. */
  changes(asset: string, search: ChangeSearch): Promise<readonly ExplainedChange[]>;
}

/** Changes in blocks after one, up to another. */
interface ChangeSearch {
  readonly from: number;
  readonly to: number;
  readonly addresses: readonly string[];
}

/** A balance that one block has changed. */
export interface BalanceChange {
  readonly block: number;
  readonly asset: string;
  readonly address: string;
  /** Negative: more went than came. */
  readonly change: bigint;
  /** The part that transactions of the address itself made, which is no payment. */
  readonly own?: bigint;
}

export interface BlockPayments {
  /** Time of the block. */
  readonly at: Date;
  readonly transfers: readonly ChainTransfer[];
}

/** A change with the payments in its block. */
export interface ExplainedChange extends BalanceChange, BlockPayments {}

export interface ScanOptions {
  /**
   * The blocks were searched before: only lists and filters are read again, from which a provider
   * may have left something out.
   */
  readonly isAgain?: boolean;
}

/** Recipients to search payments for: a set, or a filter of too many addresses to list. */
export interface Recipients extends Iterable<string> {
  readonly size: number;
  /** May rarely be true for an address that is no recipient. */
  has(address: string): boolean;
}

/** Maximum recipients that must be iterable. */
export const RECIPIENTS_NAMED_MAX = 1_000;

/** A block, slot or round of a network, and its time. */
export interface Position {
  readonly number: number;
  readonly at: Date;
}

/**
 * unknown: no provider knows it yet. failed: final, and moved nothing. unfinal: may still be
 * dropped. final: its transfers are permanent.
 */
export type ChainTransaction =
  | { readonly status: 'unknown' }
  | { readonly status: 'failed' }
  | {
      readonly status: 'unfinal' | 'final';
      /** All its transfers of accepted assets, to any recipient. */
      readonly transfers: readonly ChainTransfer[];
      /** Transfers that look like payments but do not count, a sentence each, for the payer. */
      readonly notes: readonly string[];
    };

/** One payment in an accepted asset, inside a transaction that succeeded. */
export interface ChainTransfer {
  /** Id of its transaction in canonical form. */
  readonly txId: string;
  /** Index among the transfers of the transaction, the same in every reading. */
  readonly index: number;
  /** Symbol of one of the network's assets, as USDC. */
  readonly asset: string;
  /** Amount in base units of the asset. */
  readonly amount: bigint;
  /** Address of the sender in canonical form: lower case on EVM networks. */
  readonly from: string;
  readonly to: string;
  /**
   * Reference by which the payer names the agent: a note, a memo, or the 32 bytes that the router
   * was called with, as 0x and 64 digits.
   */
  readonly reference?: string;
  readonly position: number;
  /** Time of its block. */
  readonly at: Date;
}
