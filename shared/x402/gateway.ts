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
  /** It is not on the chain, and can no more get there. */
  readonly isLapsed: boolean;
}

/** Who settles payments by x402, and who says what was paid. */
export interface X402Gateway {
  /** Has a facilitator send it to the chain. Never twice: the asset takes a nonce once. */
  settle(payment: RecordedPayment): Promise<Verdict>;
  /** Looks on the chain. Rejects if no node answers. */
  find(payment: RecordedPayment): Promise<Finding>;
}
