import { ProgramRejected } from '../../program.ts';
import type { Instruction } from '../machine.ts';
import { bytesOfNumber, numberOf } from '../value_stack.ts';

const NUMBER_BYTES_MAX = 64;

const ofTwo =
  (calculate: (a: bigint, b: bigint) => bigint | boolean): Instruction =>
  ({ stack }) => {
    const [b, a] = [stack.bytes(), stack.bytes()];
    if (Math.max(a.length, b.length) > NUMBER_BYTES_MAX) {
      throw new ProgramRejected(`a number has more than ${NUMBER_BYTES_MAX} bytes`);
    }
    const result = calculate(numberOf(a), numberOf(b));
    if (typeof result === 'boolean') return stack.push(result);
    if (result < 0n) throw new ProgramRejected('the result is below 0');
    stack.push(bytesOfNumber(result));
  };

function divisor(b: bigint): bigint {
  if (b === 0n) throw new ProgramRejected('division by 0');
  return b;
}

/** A bitwise operation; the shorter operand is padded in front. */
const bitwise =
  (calculate: (a: bigint, b: bigint) => bigint): Instruction =>
  ({ stack }) => {
    const [b, a] = [stack.bytes(), stack.bytes()];
    const length = Math.max(a.length, b.length);
    stack.push(bytesOfNumber(calculate(numberOf(a), numberOf(b)), length));
  };

/** Instructions for bytes as numbers of any length. */
export const BYTE_MATH: Readonly<Record<string, Instruction>> = {
  'b+': ofTwo((a, b) => a + b),
  'b-': ofTwo((a, b) => a - b),
  'b*': ofTwo((a, b) => a * b),
  'b/': ofTwo((a, b) => a / divisor(b)),
  'b%': ofTwo((a, b) => a % divisor(b)),
  'b<': ofTwo((a, b) => a < b),
  'b>': ofTwo((a, b) => a > b),
  'b<=': ofTwo((a, b) => a <= b),
  'b>=': ofTwo((a, b) => a >= b),
  'b==': ofTwo((a, b) => a === b),
  'b!=': ofTwo((a, b) => a !== b),
  'b|': bitwise((a, b) => a | b),
  'b&': bitwise((a, b) => a & b),
  'b^': bitwise((a, b) => a ^ b),
  'b~': ({ stack }) => stack.push(stack.bytes().map((byte) => ~byte)),
};
