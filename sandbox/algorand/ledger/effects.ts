import type { Transaction } from 'algosdk';

import type { RunProgram } from '../program.ts';

/** What a transaction did beside what it says. */
export interface Effects {
  readonly closingAmount?: bigint;
  readonly assetClosingAmount?: bigint;
  readonly assetIndex?: bigint;
  readonly applicationIndex?: bigint;
  readonly logs?: readonly Uint8Array[];
}

/** Where a transaction of a group is applied. */
export interface Block {
  readonly round: bigint;
  /** Unix seconds, of the block before. */
  readonly timestamp: bigint;
  readonly genesisHash: Uint8Array;
  /** The id of the asset or application that the transaction makes, if it makes one. */
  readonly nextId: bigint;
  readonly group: readonly Transaction[];
  readonly index: number;
  readonly budget: { left: number };
  readonly runProgram: RunProgram;
}
