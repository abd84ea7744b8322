import { ProgramRejected } from '../../program.ts';
import type { Instruction, Machine } from '../machine.ts';

function slot({ scratch }: Machine, number: number): number {
  if (number >= scratch.length) throw new ProgramRejected(`there is no slot ${number}`);
  return number;
}

/** Instructions that move values on the stack and to the scratch space. */
export const STACK: Readonly<Record<string, Instruction>> = {
  pop: ({ stack }) => void stack.pop(),
  popn: ({ stack, reader }) => void stack.takeFrom(stack.depth - reader.u8()),
  dup: ({ stack }) => stack.push(stack.at(stack.depth - 1)),
  dup2({ stack }) {
    const [a, b] = [stack.at(stack.depth - 2), stack.at(stack.depth - 1)];
    stack.push(a);
    stack.push(b);
  },
  dupn({ stack, reader }) {
    const value = stack.at(stack.depth - 1);
    for (let more = reader.u8(); more > 0; more -= 1) stack.push(value);
  },
  dig: ({ stack, reader }) => stack.push(stack.at(stack.depth - 1 - reader.u8())),
  bury({ stack, reader }) {
    const value = stack.pop();
    stack.put(stack.depth - reader.u8(), value);
  },
  cover({ stack, reader }) {
    const value = stack.pop();
    stack.insert(stack.depth - reader.u8(), value);
  },
  uncover: ({ stack, reader }) => stack.push(stack.remove(stack.depth - 1 - reader.u8())),
  swap: ({ stack }) => stack.push(stack.remove(stack.depth - 2)),
  select({ stack }) {
    const condition = stack.uint();
    const [b, a] = [stack.pop(), stack.pop()];
    stack.push(condition === 0n ? a : b);
  },
  store(machine) {
    const number = slot(machine, machine.reader.u8());
    machine.scratch[number] = machine.stack.pop();
  },
  load: (machine) => machine.stack.push(machine.scratch[machine.reader.u8()]!),
  stores(machine) {
    const value = machine.stack.pop();
    machine.scratch[slot(machine, machine.stack.size())] = value;
  },
  loads: (machine) => machine.stack.push(machine.scratch[slot(machine, machine.stack.size())]!),
};
