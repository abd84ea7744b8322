import { isOurs } from '../deposits/wallets/our_addresses.ts';
import type { Tx } from '../../kernel/tx.ts';

/** Upper bound of the contracts that every chain has, and of Base's own above 0x4200…0000. */
const FIRST = 0x10000n;
const OF_BASE = 0x42n << 152n;
/** The address of all ones, which is used to burn money. */
const LAST = (1n << 160n) - 1n;

/** The reason why a payment to an address would be lost; undefined: none is known. */
export async function addressFault(
  tx: Pick<Tx, 'db' | 'config'>,
  address: string,
): Promise<string | undefined> {
  const number = BigInt(address);
  const isOfBase = number >= OF_BASE && number < OF_BASE + FIRST;
  if (number < FIRST || number === LAST) return 'must not be the address of nobody';
  if (isOfBase) return 'must not be a contract of Base itself';
  return (await isOurs(tx, address))
    ? 'must be yours, not an address of this marketplace or the contract of a token'
    : undefined;
}
