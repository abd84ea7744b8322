import type { Family } from '../../../shared/deposits/chain/networks.ts';
import type { WalletGateway } from '../../../shared/deposits/wallets/wallet_gateway.ts';
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

export const openWallets = (): WalletGateway => ({
  addressOf: (family, text) => WALLETS[family].addressOf(text),
  isSigned(family, signed) {
    try {
      return WALLETS[family].isSigned(signed);
    } catch {
      return false; // It is no signature at all, and the libraries throw many things then.
    }
  },
});
