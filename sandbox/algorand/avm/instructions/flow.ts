import { ProgramRejected } from '../../program.ts';
import type { Frame, Instruction, Machine } from '../machine.ts';
import { isSame } from '../value_stack.ts';

const FRAMES_MAX = 8_192;

function frameOf({ frames }: Machine): Frame {
  const frame = frames.at(-1);
  if (!frame) throw new ProgramRejected('it is in no subroutine');
  return frame;
}

const branch =
  (isTaken: (condition: bigint) => boolean): Instruction =>
  ({ stack, reader }) => {
    const target = reader.label();
    if (isTaken(stack.uint())) reader.goTo(target);
  };

/** Instructions for jumps, calls and returns. */
export const FLOW: Readonly<Record<string, Instruction>> = {
  err() {
    throw new ProgramRejected('the program gave up');
  },
  assert({ stack }) {
    if (stack.uint() === 0n) throw new ProgramRejected('what the program asserts is not so');
  },
  return(machine) {
    machine.result = machine.stack.uint();
  },
  b({ reader }) {
    reader.goTo(reader.label());
  },
  bz: branch((condition) => condition === 0n),
  bnz: branch((condition) => condition !== 0n),
  switch({ stack, reader }) {
    const target = reader.labels()[stack.size()];
    if (target !== undefined) reader.goTo(target);
  },
  match({ stack, reader }) {
    const targets = reader.labels();
    const value = stack.pop();
    const cases = stack.takeFrom(stack.depth - targets.length);
    const target = targets[cases.findIndex((one) => isSame(one, value))];
    if (target !== undefined) reader.goTo(target);
  },
  callsub({ frames, stack, reader }) {
    const target = reader.label();
    if (frames.length >= FRAMES_MAX)
      throw new ProgramRejected('too many subroutines call each other');
    frames.push({ returnTo: reader.position, base: stack.depth });
    reader.goTo(target);
  },
  proto(machine) {
    const [takes, leaves] = [machine.reader.u8(), machine.reader.u8()];
    const frame = frameOf(machine);
    if (machine.stack.depth < takes)
      throw new ProgramRejected('its arguments are not on the stack');
    frame.base = machine.stack.depth;
    frame.proto = { takes, leaves };
  },
  retsub(machine) {
    const { frames, stack, reader } = machine;
    const { returnTo, base, proto } = frameOf(machine);
    frames.pop();
    if (proto) {
      if (stack.depth - base < proto.leaves)
        throw new ProgramRejected('it leaves less than it says');
      const left = stack.takeFrom(stack.depth - proto.leaves);
      stack.takeFrom(base - proto.takes);
      left.forEach((value) => stack.push(value));
    }
    reader.goTo(returnTo);
  },
  frame_dig(machine) {
    const offset = machine.reader.i8();
    machine.stack.push(machine.stack.at(frameOf(machine).base + offset));
  },
  frame_bury(machine) {
    const offset = machine.reader.i8();
    const value = machine.stack.pop();
    machine.stack.put(frameOf(machine).base + offset, value);
  },
};
