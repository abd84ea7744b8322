import type { Address, Transaction } from 'algosdk';

/** Runs the programs of applications: `run` of avm/. Throws ProgramRejected. */
export type RunProgram = (call: ProgramCall) => ProgramEffects;

/** A call of an application, and the data that its program may see. Names and keys are in hex. */
export interface ProgramCall {
  readonly program: Uint8Array;
  /** Transactions that succeed or fail together; below, the index of the call. */
  readonly group: readonly Transaction[];
  readonly index: number;
  readonly application: {
    readonly id: bigint;
    readonly address: Address;
    readonly creator: Address;
    /** Maximum values of each kind in its global state. */
    readonly ints: number;
    readonly byteSlices: number;
  };
  /** Whether the call creates the application. */
  readonly isCreation: boolean;
  readonly round: bigint;
  /** Unix seconds of the last block. */
  readonly timestamp: bigint;
  readonly genesisHash: Uint8Array;
  /** Remaining budget of all calls of the group: 700 for each. `run` takes from it. */
  readonly budget: { left: number };
  readonly global: ReadonlyMap<string, StateValue>;
  readonly boxes: ReadonlyMap<string, Uint8Array>;
  /** Boxes that the call has named, and may touch. */
  readonly boxNames: ReadonlySet<string>;
}

export type StateValue = bigint | Uint8Array;

/** Changes made by the call; undefined: deleted. */
export interface ProgramEffects {
  readonly logs: readonly Uint8Array[];
  readonly global: ReadonlyMap<string, StateValue | undefined>;
  readonly boxes: ReadonlyMap<string, Uint8Array | undefined>;
}

/** The program failed, and so does the group. The message is that of a node. */
export class ProgramRejected extends Error {}
