import type { ProgramCall, StateValue } from '../program.ts';
import type { ProgramReader } from './program_reader.ts';
import type { ValueStack } from './value_stack.ts';

/** A subroutine that was called: where it returns to, and what of the stack is its own. */
export interface Frame {
  readonly returnTo: number;
  /** Where on the stack its own values begin. */
  base: number;
  /** How many values it takes and leaves, once it has said so. */
  proto?: { readonly takes: number; readonly leaves: number };
}

/** A program while it runs. */
export interface Machine {
  readonly version: number;
  readonly reader: ProgramReader;
  readonly stack: ValueStack;
  readonly call: ProgramCall;
  /** What it has written over what it was given; undefined: deleted. */
  readonly global: Map<string, StateValue | undefined>;
  readonly boxes: Map<string, Uint8Array | undefined>;
  readonly frames: Frame[];
  readonly scratch: StateValue[];
  readonly logs: Uint8Array[];
  ints: readonly bigint[];
  byteStrings: readonly Uint8Array[];
  /** What it ended with. */
  result?: bigint;
}

export type Instruction = (machine: Machine) => void;
