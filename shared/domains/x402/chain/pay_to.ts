import type { Tx } from '../../../kernel/tx.ts';
import { hotWallets } from '../../deposits/chain/recipients.ts';
import type { X402Rail } from '../settings.ts';

/** Network, asset and address that payments for calls go to, as rows have them. */
export const keyOf = ({ network, asset, payTo }: X402Rail) => [network, asset, payTo.toLowerCase()];

/** Wallets of the marketplace: their payments to its own address are of nobody else. */
export const ourWallets = async ({ db, config }: Tx): Promise<readonly string[]> => [
  ...(await hotWallets(db)),
  ...config.deposits.evm.all.flatMap((chain) => [...chain.own]),
];
