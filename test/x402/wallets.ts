import { Wallet } from 'ethers';

import type { Evm } from '../../sandbox/evm/anvil.ts';

/** A new one that has so much of the token on the chain. */
export async function walletWith(evm: Pick<Evm, 'mint'>, usd = 10): Promise<Wallet> {
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  if (usd > 0) await evm.mint(wallet.address, BigInt(Math.round(usd * 1e6)));
  return wallet;
}
