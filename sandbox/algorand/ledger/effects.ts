import type { Transaction } from 'algosdk';

import type { RunProgram } from '../program.ts';

/** Effects of a transaction beyond its own fields. */
export interface Effects {
  readonly closingAmount?: bigint;
  readonly assetClosingAmount?: bigint;
  readonly assetIndex?: bigint;
  readonly applicationIndex?: bigint;
  readonly logs?: readonly Uint8Array[];
}

/** The block in which a transaction of a group is applied. */
export interface Block {
  readonly round: bigint;
  /** Unix seconds of the block before. */
  readonly timestamp: bigint;
  readonly genesisHash: Uint8Array;
  /** Id of the asset or application that the transaction creates, if it creates one. */
  readonly nextId: bigint;
  readonly group: readonly Transaction[];
  readonly index: number;
  readonly budget: { left: number };
  readonly runProgram: RunProgram;
}
