import { AbiCoder, Interface } from 'ethers';

import type { Question } from '../../rpc/question.ts';
import { hexOf } from '../questions.ts';
import compiled from './holdings.json' with { type: 'json' };

/** The creation code of holdings.sol; a test compiles it again and compares. */
export const HOLDINGS: { readonly bytecode: string } = compiled;

const TOKEN = new Interface(['function balanceOf(address) view returns (uint256)']);
const NONE = `0x${'0'.repeat(40)}`;
const WORD_DIGITS = 64;

/** Holders after a block. Without a contract: of the coin. */
interface After {
  readonly block: number;
  readonly contract: string | undefined;
}

/** Asks for the balance of one address. */
export function balanceOf({
  block,
  contract: to,
  address,
}: After & { readonly address: string }): Question {
  if (to === undefined) return ['eth_getBalance', [address, hexOf(block)]];
  const data = TOKEN.encodeFunctionData('balanceOf', [address]);
  return ['eth_call', [{ to, data }, hexOf(block)]];
}

/** Asks for the balances of many addresses: code is run that reads each, and is not kept. */
export function holdingsOf({
  block,
  contract = NONE,
  addresses,
}: After & { readonly addresses: readonly string[] }): Question {
  const given = AbiCoder.defaultAbiCoder().encode(['address', 'address[]'], [contract, addresses]);
  return ['eth_call', [{ data: HOLDINGS.bytecode + given.slice(2) }, hexOf(block)]];
}

/** Numbers of one word each. */
export function numbersIn(answer: string, count: number): readonly bigint[] {
  if (!/^0x[\da-f]*$/i.test(answer) || answer.length !== 2 + count * WORD_DIGITS)
    throw new Error('a provider answers something that is not what addresses hold');
  return Array.from({ length: count }, (_, at) =>
    BigInt(`0x${answer.slice(2 + at * WORD_DIGITS, 2 + (at + 1) * WORD_DIGITS)}`),
  );
}
