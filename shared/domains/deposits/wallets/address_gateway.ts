import type { Family } from '../chain/networks.ts';

/** Derives addresses from extended public keys, which cannot spend. */
export interface AddressGateway {
  /** The address at this index in canonical form; undefined: no key is set for the family. */
  addressOf(family: Family, index: number): string | undefined;
}
