import type { ProgramCall, StateValue } from '../program.ts';
import type { ProgramReader } from './program_reader.ts';
import type { ValueStack } from './value_stack.ts';

/** A subroutine call: its return address, and its part of the stack. */
export interface Frame {
  readonly returnTo: number;
  /** Stack height at which its own values begin. */
  base: number;
  /** Number of values that it takes and leaves, once declared. */
  proto?: { readonly takes: number; readonly leaves: number };
}

/** A running program. */
export interface Machine {
  readonly version: number;
  readonly reader: ProgramReader;
  readonly stack: ValueStack;
  readonly call: ProgramCall;
  /** Values written by the program; undefined: deleted. */
  readonly global: Map<string, StateValue | undefined>;
  readonly boxes: Map<string, Uint8Array | undefined>;
  readonly frames: Frame[];
  readonly scratch: StateValue[];
  readonly logs: Uint8Array[];
  ints: readonly bigint[];
  byteStrings: readonly Uint8Array[];
  /** Final value. */
  result?: bigint;
}

export type Instruction = (machine: Machine) => void;
