import { networkOf, type Family } from '../../../shared/domains/deposits/chain/networks.ts';
import { EVM_RAILS } from '../../../shared/domains/deposits/evm/settings.ts';
import type { DepositSettings } from '../../../shared/domains/deposits/settings.ts';
import type {
  SignedText,
  WalletGateway,
} from '../../../shared/domains/deposits/wallets/wallet_gateway.ts';
import { openContracts } from '../evm/contract_signatures.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { algorandWallet } from './algorand.ts';
import { evmWallet } from './evm.ts';
import { solanaWallet } from './solana.ts';
import { tronWallet } from './tron.ts';
import type { Wallet } from './wallet.ts';

const WALLETS: { readonly [family in Family]: Wallet } = {
  algorand: algorandWallet,
  evm: evmWallet,
  solana: solanaWallet,
  tron: tronWallet,
};

export function openWallets(
  { evm }: Pick<DepositSettings, 'evm'>,
  profiles = openProfiles(),
): WalletGateway {
  const contracts = EVM_RAILS.flatMap((rail) => {
    const network = evm.networks[rail];
    return network
      ? { network: networkOf(rail, network), ask: openContracts(network, profiles) }
      : [];
  });
  return {
    addressOf: (family, text) => WALLETS[family].addressOf(text),
    async signedOn(family, signed) {
      if (isSigned(family, signed)) return 'all';
      if (family !== 'evm' || !/^0x([\da-f]{2})+$/i.test(signed.signature)) return [];
      const answers = await Promise.all(contracts.map(({ ask }) => ask(signed)));
      return contracts.filter((_one, at) => answers[at]).map(({ network }) => network);
    },
  };
}

function isSigned(family: Family, signed: SignedText): boolean {
  try {
    return WALLETS[family].isSigned(signed);
  } catch {
    return false; // It is not a signature; the libraries throw various errors then.
  }
}
