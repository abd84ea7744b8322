/** Our side of the chain that withdrawals are paid on. Amounts in millionths of a dollar. */
export interface PayoutGateway {
  /** Returns an address with its checksum (EIP-55); undefined: it is none. */
  addressOf(text: string): string | undefined;
  /** Reads the hot wallet on the chain. Throws unless all providers answer, for this chain. */
  wallet(): Promise<WalletState>;
  /**
   * Simulates a payment of the hot wallet. Resolves with the token's message if every provider
   * refuses it; undefined: one accepts it. Throws unless all answer.
   */
  refusalOf(payment: Pick<Payment, 'to' | 'amount'>): Promise<string | undefined>;
  /** Signs a payment. The same payment gives the same bytes. Sends nothing. */
  sign(payment: Payment): Promise<SignedPayment>;
  /** Sends bytes to all providers. Resolves with the messages of those that refuse them. */
  send(bytes: string): Promise<readonly string[]>;
  /** Finds the state of the transactions of one nonce. Throws unless all providers agree. */
  fateOf(transactions: SentTransactions): Promise<Outcome>;
  /** Finds the payments of the hot wallet in these blocks, both included. */
  paymentsIn(from: number, to: number): Promise<readonly ChainPayment[]>;
}

export interface WalletState {
  readonly address: string;
  readonly chainId: number;
  /** Number of its transactions as of the newest block of any provider. */
  readonly used: number;
  /** The newest block, of any provider. */
  readonly block: number;
  /** The newest block that is final for all providers. */
  readonly finalBlock: number;
  readonly usdc: bigint;
  /** Balance of the coin that pays for gas, in wei. */
  readonly native: bigint;
  readonly fees: Fees;
  /** Maximum fee in wei for a payment's place on the chain below; 0: there is none below. */
  readonly lowerFee: bigint;
}

/** Prices of a unit of gas, in wei. */
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

export interface SignedPayment {
  readonly hash: string;
  readonly bytes: string;
}

/** The transactions signed with one nonce, and the payment that each should make. */
export interface SentTransactions {
  readonly hashes: readonly string[];
  readonly to: string;
  readonly amount: bigint;
}

/**
 * The state of a nonce on the chain. unknown: no provider has a transaction of it in a block.
 * mined: one is in a block that is not final. paid, failed: final. odd: final, and it did something
 * else.
 */
export type Outcome =
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

/** Maximum gas of a payment. A transfer of USDC uses about 65 000. */
export const GAS_LIMIT = 120_000n;

/** Maximum cost of a payment, in wei. */
export const costOf = ({ fees, lowerFee }: Pick<WalletState, 'fees' | 'lowerFee'>): bigint =>
  GAS_LIMIT * fees.max + lowerFee;
