import type { FacilitatorAnswer } from './facilitators/states.ts';
import type { Payment } from './payment.ts';

/** A payment that was recorded. */
export interface RecordedPayment extends Payment {
  readonly id: number;
  readonly recordedAt: Date;
}

/** A facilitator's word on a payment. It is a hint: the chain decides. */
export interface Verdict {
  readonly isSettled: boolean;
  /** Why not, in a word of the protocol. */
  readonly reason?: string | undefined;
  /** Which facilitators were asked, and how they answered. */
  readonly answers?: readonly FacilitatorAnswer[];
}

interface FoundTransfer {
  readonly txId: string;
  readonly logIndex: number;
  readonly block: number;
}

/** The chain's word on a payment. */
export interface Finding {
  /** The transfer that it is. Absent: it is not on the chain. */
  readonly transfer?: FoundTransfer | undefined;
  /** It can no more pay for its call, by what the asset says of its nonce. */
  readonly isLapsed: boolean;
  /** Why, where it is not that its time is over. */
  readonly reason?: string | undefined;
}

/** A transfer of the asset to the address that is paid, as the chain has it. */
export interface ChainTransfer {
  readonly txHash: string;
  readonly logIndex: number;
  readonly sender: string;
  readonly amount: bigint;
  readonly block: number;
  /** The nonce of the authorization that it used; null: of none. */
  readonly nonce: string | null;
}

/** A transfer of the asset that left the address that is paid. */
export interface SentTransfer extends Pick<
  ChainTransfer,
  'txHash' | 'logIndex' | 'amount' | 'block'
> {
  readonly recipient: string;
}

/** The transfers in blocks up to this one. */
export interface TransferPage {
  readonly to: number;
  readonly transfers: readonly ChainTransfer[];
  readonly sent: readonly SentTransfer[];
}

/** Who settles payments by x402, and who says what was paid. */
export interface X402Gateway {
  /**
   * Has the chain try it without sending it: signature, balance, nonce and time. Undefined: it
   * would be taken; else why not, in a word of the protocol. Rejects if no node answers.
   */
  refusalOf(payment: RecordedPayment): Promise<string | undefined>;
  /**
   * Has a facilitator send it to the chain: the first that verifies it. Once one was told to settle
   * it, no other is. Never twice: the asset takes a nonce once.
   */
  settle(payment: RecordedPayment): Promise<Verdict>;
  /** Looks on the chain. Rejects if no node answers. */
  find(payment: RecordedPayment): Promise<Finding>;
  /** Asks each facilitator whether it settles payments like ours. */
  supported(): Promise<readonly FacilitatorAnswer[]>;
  /** Time of a block that is final. */
  timeOf(block: number): Promise<Date>;
  /** The newest block that is final. */
  finalBlock(): Promise<number>;
  /** Reads blocks, both included, or as many of the first of them as the node shows at once. */
  transfersIn(from: number, to: number): Promise<TransferPage>;
  /** The sum of the asset that the address that is paid held after this block. */
  heldAt(block: number): Promise<bigint>;
}
