import { balanceIdOf } from '../../../shared/domains/deposits/balances/balance_receipt.ts';
import type { ChainTransfer } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';

/** A transaction of an indexer, with the fields that are read here. */
export interface RawTransaction {
  readonly id?: string;
  readonly sender?: string;
  /** Base64. */
  readonly note?: string;
  readonly 'genesis-hash'?: string;
  readonly 'confirmed-round'?: number;
  /** Unix seconds. */
  readonly 'round-time'?: number;
  readonly 'intra-round-offset'?: number;
  readonly fee?: number;
  readonly 'sender-rewards'?: number;
  readonly 'receiver-rewards'?: number;
  readonly 'close-rewards'?: number;
  readonly 'payment-transaction'?: {
    readonly amount?: number;
    readonly receiver?: string;
    readonly 'close-amount'?: number;
    readonly 'close-remainder-to'?: string;
  };
  readonly 'asset-transfer-transaction'?: {
    readonly 'asset-id'?: number;
    /** The account it was taken from, by the clawback right of an asset. */
    readonly sender?: string;
  };
  readonly 'application-transaction'?: object;
  readonly 'inner-txns'?: readonly RawTransaction[];
}

type NetworkIdentity = Pick<AlgorandNetwork, 'genesisHash' | 'address'>;

/**
 * Its payments of ALGO: the amount, and the rest of an account that it closed. Payments inside a
 * call of an application have no id of their own and do not count; nor do payments of the platform
 * itself. Throws if something is missing, or if it is of another network.
 */
export function transfersIn(
  raw: RawTransaction,
  { genesisHash, address }: NetworkIdentity,
): ChainTransfer[] {
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

/** Notes on what looks like a payment but is none. */
export function notesOn(raw: RawTransaction, { address }: AlgorandNetwork): string[] {
  const asset = raw['asset-transfer-transaction'];
  const inner = raw['inner-txns'] ?? [];
  return [
    ...(asset?.sender !== undefined
      ? ['It takes an asset back from its holder (clawback), which is no payment of that holder.']
      : []),
    ...(asset
      ? [`It moves the asset ${asset['asset-id']}; of Algorand only ALGO itself is taken.`]
      : []),
    ...(inner.length > 0 ? [ofApplication(raw, address)] : []),
  ];
}

/** ALGO that an application pays: its call does not name the payer, and a balance shows it. */
function ofApplication(raw: RawTransaction, address: string): string {
  const id = balanceIdOf(wholeIn(raw['confirmed-round'], 'confirmed-round'), address);
  const paid = `ALGO that an application pays to ${address}`;
  return `${paid} is kept as ${id}: claim that by claim_deposit.`;
}

/** A whole number: rounds, times and amounts never exceed 2^53. */
export function wholeIn(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error(`an indexer says no ${name}`);
}

export function textIn(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`an indexer says no ${name}`);
}

/** The note as text. Bytes that are not UTF-8 may have a reference between them. */
const referenceIn = (note: string | undefined): { reference?: string } =>
  note ? { reference: Buffer.from(note, 'base64').toString() } : {};
