/** Our side of the chain that withdrawals are paid on. Amounts in millionths of a dollar. */
export interface PayoutGateway {
  /** The address as it is written with its checksum (EIP-55); undefined: it is none. */
  addressOf(text: string): string | undefined;
  /** What the chain says of the hot wallet. Throws unless all providers answer, for this chain. */
  wallet(): Promise<WalletState>;
  /**
   * What the token says that refuses a payment of the hot wallet, by a call that is not sent, at
   * every provider; undefined: some would take it. Throws unless all answer.
   */
  refusalOf(payment: Pick<Payment, 'to' | 'amount'>): Promise<string | undefined>;
  /** Signs a payment. The same payment gives the same bytes. Sends nothing. */
  sign(payment: Payment): Promise<Signed>;
  /** Gives the bytes to all providers. Says what those that refused them said. */
  send(bytes: string): Promise<readonly string[]>;
  /** What became of the transactions of one nonce. Throws unless all providers answer and agree. */
  fateOf(transactions: Sent): Promise<Fate>;
  /** What left the hot wallet in these blocks, both included. */
  paymentsIn(from: number, to: number): Promise<readonly ChainPayment[]>;
}

export interface WalletState {
  readonly address: string;
  readonly chainId: number;
  /** How many transactions of it there are in the newest block, of any provider. */
  readonly used: number;
  /** The newest block, of any provider. */
  readonly block: number;
  /** The newest block that is final for all providers. */
  readonly finalBlock: number;
  readonly usdc: bigint;
  /** Of the coin that pays for gas, in wei. */
  readonly native: bigint;
  readonly fees: Fees;
}

/** Of a unit of gas, in wei. */
export interface Fees {
  readonly max: bigint;
  readonly priority: bigint;
}

export interface Payment {
  readonly to: string;
  readonly amount: bigint;
  readonly nonce: number;
  readonly fees: Fees;
}

export interface Signed {
  readonly hash: string;
  readonly bytes: string;
}

/** Those that were signed with one nonce, and what each of them was to do. */
export interface Sent {
  readonly hashes: readonly string[];
  readonly to: string;
  readonly amount: bigint;
}

/**
 * unknown: no provider has any of them in a block. mined: one is in a block that is not final.
 * paid, failed: final. odd: it is final and did something else than it was to do.
 */
export type Fate =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'mined' | 'paid' | 'failed' | 'odd';
      readonly hash: string;
      readonly block: number;
    };

export interface ChainPayment {
  readonly hash: string;
  readonly logIndex: number;
  readonly to: string;
  readonly amount: bigint;
  readonly block: number;
}

/** What a payment may use of gas. A transfer of USDC uses about 65 000. */
export const GAS_LIMIT = 120_000n;
