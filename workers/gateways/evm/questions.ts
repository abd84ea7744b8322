import type { Question } from '../rpc/question.ts';
import type { RawReceipt, RawTransaction } from './transfers.ts';

/** Sends several questions to one provider in one request, after its network was checked. */
export type Ask = <T extends readonly unknown[]>(questions: readonly Question[]) => Promise<T>;

/** The header of the block with this number, or tag. */
export const headerAt = (block: string): Question => ['eth_getBlockByNumber', [block, false]];

/** A transaction, and its receipt. */
export const foundBy = (hash: string): readonly [Question, Question] => [
  ['eth_getTransactionByHash', [hash]],
  ['eth_getTransactionReceipt', [hash]],
];

/** Throws unless both are of this transaction, in one block. */
export function assertAreOf(
  txId: string,
  transaction: RawTransaction | null,
  receipt: RawReceipt | null,
): void {
  const isSame =
    transaction?.hash === txId &&
    receipt?.transactionHash === txId &&
    transaction.blockHash === receipt.blockHash;
  if (!isSame) throw new Error('a provider answers with another transaction, or in another block');
}

/** A number as JSON-RPC has it. */
export const hexOf = (number: number): string => `0x${number.toString(16)}`;
