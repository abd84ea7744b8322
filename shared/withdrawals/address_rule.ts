import { isOurs } from '../deposits/wallets/our_addresses.ts';
import type { Tx } from '../kernel/operation.ts';

/** Contracts that every chain has are below it, and those of Base from 0x4200…0000 on. */
const FIRST = 0x10000n;
const OF_BASE = 0x42n << 152n;
/** All ones: some burn money by it. */
const LAST = (1n << 160n) - 1n;

/** Why what is paid to an address would be lost; undefined: nothing is known of that. */
export async function addressFault(
  tx: Pick<Tx, 'db' | 'config'>,
  address: string,
): Promise<string | undefined> {
  const number = BigInt(address);
  const isOfBase = number >= OF_BASE && number < OF_BASE + FIRST;
  if (number < FIRST || number === LAST) return 'is the address of nobody';
  if (isOfBase) return 'is a contract of Base itself';
  return (await isOurs(tx, address))
    ? 'is an address of this marketplace, or the contract of a token: give one of yours'
    : undefined;
}
