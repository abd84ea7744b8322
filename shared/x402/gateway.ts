import type { Payment } from './payment.ts';

/** A payment that was recorded. */
export interface RecordedPayment extends Payment {
  readonly id: number;
  readonly recordedAt: Date;
}

/** What a facilitator says of a payment. It is a hint: the chain says what is true. */
export interface Verdict {
  readonly isSettled: boolean;
  /** Why not, in a word of the protocol. */
  readonly reason?: string | undefined;
}

/** What the chain says of a payment. */
export interface Finding {
  /** The transfer that it is. Absent: it is not on the chain. */
  readonly transfer?: { readonly txId: string; readonly logIndex: number } | undefined;
  /** It can no more pay for its call, by what the asset says of its nonce. */
  readonly isLapsed: boolean;
  /** Why, where it is not that its time is over. */
  readonly reason?: string | undefined;
}

/** Who settles payments by x402, and who says what was paid. */
export interface X402Gateway {
  /**
   * Has the chain try it without sending it: signature, balance, nonce and time. Undefined: it
   * would be taken; else why not, in a word of the protocol. Rejects if no node answers.
   */
  refusalOf(payment: RecordedPayment): Promise<string | undefined>;
  /** Has a facilitator send it to the chain. Never twice: the asset takes a nonce once. */
  settle(payment: RecordedPayment): Promise<Verdict>;
  /** Looks on the chain. Rejects if no node answers. */
  find(payment: RecordedPayment): Promise<Finding>;
}
