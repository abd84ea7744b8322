import type { ChainTransfer } from '../../../shared/deposits/chain/deposit_chain.ts';
import type { AlgorandNetwork } from '../../../shared/deposits/algorand/settings.ts';

/** What an indexer says of a transaction, as far as it matters here. */
export interface RawTransaction {
  readonly id?: string;
  readonly sender?: string;
  /** In base64. */
  readonly note?: string;
  readonly 'genesis-hash'?: string;
  readonly 'confirmed-round'?: number;
  /** Unix seconds. */
  readonly 'round-time'?: number;
  readonly 'intra-round-offset'?: number;
  readonly 'payment-transaction'?: {
    readonly amount?: number;
    readonly receiver?: string;
    readonly 'close-amount'?: number;
    readonly 'close-remainder-to'?: string;
  };
  readonly 'asset-transfer-transaction'?: {
    readonly 'asset-id'?: number;
    /** Whom it was taken from, by the right of an asset to be taken back. */
    readonly sender?: string;
  };
  readonly 'application-transaction'?: object;
  readonly 'inner-txns'?: readonly object[];
}

type About = Pick<AlgorandNetwork, 'genesisHash' | 'address'>;

/**
 * What it paid in ALGO: the amount, and what was left in an account that it closed. What happens
 * inside a call of an application has no id of its own and is no payment here. What the platform
 * pays itself is none either. Throws if something is missing, or if it is of another network.
 */
export function transfersIn(raw: RawTransaction, { genesisHash, address }: About): ChainTransfer[] {
  if (raw['genesis-hash'] !== genesisHash) throw new Error('a transaction is of another network');
  const payment = raw['payment-transaction'];
  if (!payment || raw.sender === address) return [];
  const common = {
    txId: textIn(raw.id, 'id'),
    asset: 'ALGO',
    from: textIn(raw.sender, 'sender'),
    ...referenceIn(raw.note),
    position: wholeIn(raw['confirmed-round'], 'confirmed-round'),
    at: new Date(wholeIn(raw['round-time'], 'round-time') * 1_000),
  };
  const paid = [
    { amount: payment.amount ?? 0, to: payment.receiver },
    { amount: payment['close-amount'] ?? 0, to: payment['close-remainder-to'] },
  ];
  return paid.flatMap(({ amount, to }, index) => {
    const microAlgos = wholeIn(amount, 'amount');
    if (microAlgos === 0) return [];
    return { ...common, index, amount: BigInt(microAlgos), to: textIn(to, 'receiver') };
  });
}

/** What looks like a payment, and why it is none. */
export function notesOn(raw: RawTransaction): string[] {
  const asset = raw['asset-transfer-transaction'];
  const inner = raw['inner-txns'] ?? [];
  return [
    ...(asset?.sender !== undefined
      ? ['It takes an asset back from its holder (clawback), which is no payment of that holder.']
      : []),
    ...(asset
      ? [`It moves the asset ${asset['asset-id']}; of Algorand only ALGO itself is taken.`]
      : []),
    ...(inner.length > 0
      ? ['What an application pays inside a call is not credited: pay from an account instead.']
      : []),
  ];
}

/** Rounds, times and amounts: more than 2^53 of anything there is not. */
export function wholeIn(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error(`an indexer says no ${name}`);
}

export function textIn(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`an indexer says no ${name}`);
}

/** The note as text. What is no UTF-8 is no reference. */
function referenceIn(note: string | undefined): { reference?: string } {
  if (!note) return {};
  try {
    const bytes = Buffer.from(note, 'base64');
    return { reference: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return {};
  }
}
