import type { Address, Transaction } from 'algosdk';

/** What runs the programs of applications: `run` of avm/. Throws ProgramRejected. */
export type RunProgram = (call: ProgramCall) => ProgramEffects;

/** A call of an application, and what its program may see. Names and keys are in hex. */
export interface ProgramCall {
  readonly program: Uint8Array;
  /** The transactions that succeed or fail together, and which of them is the call. */
  readonly group: readonly Transaction[];
  readonly index: number;
  readonly application: {
    readonly id: bigint;
    readonly address: Address;
    readonly creator: Address;
    /** How many values of each kind its global state may have. */
    readonly ints: number;
    readonly byteSlices: number;
  };
  /** Whether the call makes the application. */
  readonly isCreation: boolean;
  readonly round: bigint;
  /** Of the last block, in Unix seconds. */
  readonly timestamp: bigint;
  readonly genesisHash: Uint8Array;
  /** What the calls of a group may still cost together: 700 for each. `run` takes from it. */
  readonly budget: { left: number };
  readonly global: ReadonlyMap<string, StateValue>;
  readonly boxes: ReadonlyMap<string, Uint8Array>;
  /** The boxes that the call has named, and may touch. */
  readonly boxNames: ReadonlySet<string>;
}

export type StateValue = bigint | Uint8Array;

/** What the call has changed; undefined: deleted. */
export interface ProgramEffects {
  readonly logs: readonly Uint8Array[];
  readonly global: ReadonlyMap<string, StateValue | undefined>;
  readonly boxes: ReadonlyMap<string, Uint8Array | undefined>;
}

/** The program failed, and so the group does. The message is what a node says. */
export class ProgramRejected extends Error {}
