import type { Paying } from '../../deposits/evm/payer.ts';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** Each operation of EVM networks once: who asks how to pay pays, and has it credited. */
export async function tellOfEvm(call: Call, paying: Paying, key: string): Promise<void> {
  const { reference } = await call('evm_info', {}, key);
  await call('evm_abi', {}, key);
  const tx_hash = await paying.byRouter(String(reference), { usdc: 10_000_000n });
  await paying.finalize();
  await call('evm_verify', { tx_hash, network: 'base' }, key);
}
