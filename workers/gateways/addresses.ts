import { HDNodeWallet } from 'ethers';

import type { Family } from '../../shared/deposits/chain/networks.ts';
import type { AddressGateway } from '../../shared/deposits/wallets/own_address.ts';
import type { DepositSettings } from '../../shared/deposits/settings.ts';

/** The addresses of agents, from extended public keys: this process cannot spend what they get. */
export function openAddresses({ evm }: Pick<DepositSettings, 'evm'>): AddressGateway {
  const parents = new Map<Family, ReturnType<typeof HDNodeWallet.fromExtendedKey>>();
  if (evm.xpub) parents.set('evm', HDNodeWallet.fromExtendedKey(evm.xpub));
  return {
    addressOf: (family, index) => parents.get(family)?.deriveChild(index).address.toLowerCase(),
  };
}
