import { ProgramRejected, type ProgramCall, type ProgramEffects } from '../program.ts';
import { ARITHMETIC } from './instructions/arithmetic.ts';
import { BYTE_MATH } from './instructions/byte_math.ts';
import { BYTE_STRINGS } from './instructions/byte_strings.ts';
import { CONSTANTS } from './instructions/constants.ts';
import { FACTS } from './instructions/facts.ts';
import { FLOW } from './instructions/flow.ts';
import { BOXES } from './instructions/boxes.ts';
import { STACK } from './instructions/stack.ts';
import { STATE } from './instructions/state.ts';
import { BY_CODE, VERSION_MAX } from './opcodes.ts';
import type { Instruction, Machine } from './machine.ts';
import { readProgram } from './program_reader.ts';
import { isBytes, openStack } from './value_stack.ts';

const INSTRUCTIONS: Readonly<Record<string, Instruction>> = Object.freeze({
  ...ARITHMETIC,
  ...BYTE_MATH,
  ...BYTE_STRINGS,
  ...BOXES,
  ...CONSTANTS,
  ...FACTS,
  ...FLOW,
  ...STACK,
  ...STATE,
});

/**
 * Runs the program of an application and returns its changes. It takes from the given budget.
 * Throws ProgramRejected if the program rejects the call or does something forbidden.
 */
export function run(call: ProgramCall): ProgramEffects {
  const reader = readProgram(call.program);
  const version = Number(reader.uint());
  if (version < 1 || version > VERSION_MAX) {
    throw new ProgramRejected(`this machine runs no programs of version ${version}`);
  }
  const machine: Machine = {
    version,
    reader,
    stack: openStack(),
    call,
    global: new Map(),
    boxes: new Map(),
    frames: [],
    scratch: Array.from({ length: 256 }, () => 0n),
    logs: [],
    ints: [],
    byteStrings: [],
  };
  while (machine.result === undefined && !reader.isAtEnd) step(machine);
  if (resultOf(machine) === 0n) throw new ProgramRejected('the program rejected the call');
  const { logs, global, boxes } = machine;
  return { logs, global, boxes };
}

function step(machine: Machine): void {
  const { reader, call, version } = machine;
  const at = reader.position;
  const code = reader.u8();
  const opcode = BY_CODE.get(code);
  try {
    if (!opcode) throw new ProgramRejected(`this machine has no opcode 0x${code.toString(16)}`);
    if (opcode.since > version) throw new ProgramRejected(`${opcode.name} is of a later version`);
    call.budget.left -= opcode.cost;
    if (call.budget.left < 0) throw new ProgramRejected('the budget for instructions is used up');
    INSTRUCTIONS[opcode.name]!(machine);
  } catch (error) {
    if (!(error instanceof ProgramRejected)) throw error;
    throw new ProgramRejected(
      `${error.message} (${opcode?.name ?? 'an instruction'} at byte ${at})`,
    );
  }
}

function resultOf({ result, stack }: Machine): bigint {
  if (result !== undefined) return result;
  const last = stack.depth === 1 ? stack.pop() : undefined;
  if (last === undefined || isBytes(last)) {
    throw new ProgramRejected('the program ends with something else than one number');
  }
  return last;
}

/** Opcodes of the table without an instruction; for a test. */
export const withoutInstruction = (): string[] =>
  [...BY_CODE.values()].flatMap(({ name }) => (INSTRUCTIONS[name] ? [] : [name]));
