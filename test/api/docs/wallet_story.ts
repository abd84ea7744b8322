import { Wallet } from 'ethers';

export type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** An outside wallet becomes an agent's, and is no longer. */
export async function tellOfWallets(call: Call, key: string): Promise<void> {
  const signer = new Wallet(`0x${'11'.repeat(32)}`);
  const wallet = { network: 'evm', address: signer.address };
  const { message } = await call('link_wallet', wallet, key);
  const signature = await signer.signMessage(String(message));
  await call('link_wallet', { ...wallet, signature }, key);
  await call('unlink_wallet', wallet, key);
}
