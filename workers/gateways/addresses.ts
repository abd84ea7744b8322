import { HDNodeWallet } from 'ethers';

import type { Family } from '../../shared/domains/deposits/chain/networks.ts';
import type { AddressGateway } from '../../shared/domains/deposits/wallets/address_gateway.ts';
import type { DepositSettings } from '../../shared/domains/deposits/settings.ts';
import { tronOfHex } from '../../shared/domains/deposits/tron/address.ts';

type Settings = Pick<DepositSettings, 'chains' | 'evm'>;

/** Addresses of agents, from extended public keys: this process cannot spend their money. */
export function openAddresses({ chains, evm }: Settings): AddressGateway {
  const parents = new Map<Family, ReturnType<typeof HDNodeWallet.fromExtendedKey>>();
  if (evm.xpub) parents.set('evm', HDNodeWallet.fromExtendedKey(evm.xpub));
  const { tron } = chains;
  if (tron?.xpub) parents.set('tron', HDNodeWallet.fromExtendedKey(tron.xpub));
  return {
    addressOf(family, index) {
      const address = parents.get(family)?.deriveChild(index).address.toLowerCase();
      return address && family === 'tron' ? tronOfHex(address) : address;
    },
  };
}
