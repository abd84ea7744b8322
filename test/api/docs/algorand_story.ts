import type { PaidAlgorand } from '../../deposits/algorand/platform.ts';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** Who asks how to pay by Algorand pays, and has it credited. */
export async function tellOfAlgorand(call: Call, rig: PaidAlgorand, key: string): Promise<void> {
  await call('algo_info', {}, key);
  const { note } = await call('algo_deposit', {}, key);
  const tx_id = await rig.pay({ amount: 25_000_000, note: String(note) });
  await call('algo_verify_deposit', { tx_id }, key);
}
