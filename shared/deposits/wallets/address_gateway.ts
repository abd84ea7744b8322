import type { Family } from '../chain/networks.ts';

/** Derives addresses from extended public keys, by which nothing can be spent. */
export interface AddressGateway {
  /** The address at this index, in its one spelling; undefined: no key is set for the family. */
  addressOf(family: Family, index: number): string | undefined;
}
