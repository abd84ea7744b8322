import type { PaidAlgorand } from '../../deposits/algorand/platform.ts';
import type { Paying } from '../../deposits/evm/payer.ts';
import type { PaidTron } from '../../deposits/tron/platform.ts';
import { tellOfEvm } from './evm_story.ts';
import type { SolanaRig } from '../../deposits/solana/rig.ts';
import { tellOfSolana } from './solana_story.ts';
import { tellOfTron } from './tron_story.ts';

/** Networks with somebody who pays. */
export interface Chains {
  readonly algorand: PaidAlgorand;
  readonly base: Paying;
  readonly solana: SolanaRig;
  readonly tron: PaidTron;
}

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** Each operation of these networks once. */
export async function tellOfChains(call: Call, chains: Chains, key: string): Promise<void> {
  await tellOfEvm(call, chains.base, key);
  await tellOfSolana(call, chains.solana, key);
  await tellOfTron(call, chains.tron, key);
}
