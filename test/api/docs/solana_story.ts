import { PublicKey } from '@solana/web3.js';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import type { SolanaRig } from '../../deposits/solana/rig.ts';
import { usdc } from '../../deposits/solana/rig.ts';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** Each operation of Solana once: who asks how to pay pays, and has it credited. */
export async function tellOfSolana(call: Call, rig: SolanaRig, key: string): Promise<void> {
  const info = await call('solana_info', {}, key);
  const to = new PublicKey(info.address as string);
  const paid = [...usdc(rig.payer, to, 10_000_000n), memo(info.memo as string)];
  const tx_id = await rig.pay(paid);
  rig.node.advance(FINAL_AFTER);
  await call('solana_verify', { tx_id }, key);
}
