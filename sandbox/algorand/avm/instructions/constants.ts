import { ProgramRejected } from '../../program.ts';
import type { Instruction, Machine } from '../machine.ts';

function pushInt({ stack, ints }: Machine, number: number): void {
  const value = ints[number];
  if (value === undefined) throw new ProgramRejected(`there is no constant ${number}`);
  stack.push(value);
}

function pushBytes({ stack, byteStrings }: Machine, number: number): void {
  const value = byteStrings[number];
  if (value === undefined) throw new ProgramRejected(`there is no constant ${number}`);
  stack.push(value);
}

export const CONSTANTS: Readonly<Record<string, Instruction>> = {
  intcblock(machine) {
    machine.ints = machine.reader.listOf(() => machine.reader.uint());
  },
  bytecblock(machine) {
    machine.byteStrings = machine.reader.listOf(() => machine.reader.bytes());
  },
  intc: (machine) => pushInt(machine, machine.reader.u8()),
  intc_0: (machine) => pushInt(machine, 0),
  intc_1: (machine) => pushInt(machine, 1),
  intc_2: (machine) => pushInt(machine, 2),
  intc_3: (machine) => pushInt(machine, 3),
  bytec: (machine) => pushBytes(machine, machine.reader.u8()),
  bytec_0: (machine) => pushBytes(machine, 0),
  bytec_1: (machine) => pushBytes(machine, 1),
  bytec_2: (machine) => pushBytes(machine, 2),
  bytec_3: (machine) => pushBytes(machine, 3),
  pushint: ({ stack, reader }) => stack.push(reader.uint()),
  pushbytes: ({ stack, reader }) => stack.push(reader.bytes()),
  pushints: ({ stack, reader }) =>
    reader.listOf(() => reader.uint()).forEach((int) => stack.push(int)),
  pushbytess: ({ stack, reader }) =>
    reader.listOf(() => reader.bytes()).forEach((bytes) => stack.push(bytes)),
};
