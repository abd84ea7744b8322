import { ProgramRejected } from '../../program.ts';
import type { Instruction } from '../machine.ts';
import { isBytes, isSame } from '../value_stack.ts';

const END = 2n ** 64n;
const MASK = END - 1n;

/** An operation on two numbers; a result below 0 or beyond 64 bits ends the program. */
const ofTwo =
  (calculate: (a: bigint, b: bigint) => bigint | boolean): Instruction =>
  ({ stack }) => {
    const b = stack.uint();
    const result = calculate(stack.uint(), b);
    if (typeof result === 'bigint' && (result < 0n || result >= END)) {
      throw new ProgramRejected('the result is no number of 64 bits');
    }
    stack.push(result);
  };

function divisor(b: bigint): bigint {
  if (b === 0n) throw new ProgramRejected('division by 0');
  return b;
}

const equal =
  (wanted: boolean): Instruction =>
  ({ stack }) => {
    const b = stack.pop();
    const a = stack.pop();
    if (isBytes(a) !== isBytes(b)) throw new ProgramRejected('it compares bytes with a number');
    stack.push(isSame(a, b) === wanted);
  };

function shift(by: bigint): bigint {
  if (by > 63n) throw new ProgramRejected('it shifts by more than 63 bits');
  return by;
}

function power(a: bigint, b: bigint): bigint {
  if (a === 0n && b === 0n) throw new ProgramRejected('0 to the power of 0');
  if (a > 1n && b > 64n) throw new ProgramRejected('the result is no number of 64 bits');
  return a > 1n ? a ** b : b === 0n ? 1n : a;
}

/** The integer square root. */
function rootOf(number: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 31n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** 2n <= number) root += bit;
  }
  return root;
}

/** Instructions for numbers of 64 bits. */
export const ARITHMETIC: Readonly<Record<string, Instruction>> = {
  '+': ofTwo((a, b) => a + b),
  '-': ofTwo((a, b) => a - b),
  '*': ofTwo((a, b) => a * b),
  '/': ofTwo((a, b) => a / divisor(b)),
  '%': ofTwo((a, b) => a % divisor(b)),
  '<': ofTwo((a, b) => a < b),
  '>': ofTwo((a, b) => a > b),
  '<=': ofTwo((a, b) => a <= b),
  '>=': ofTwo((a, b) => a >= b),
  '&&': ofTwo((a, b) => a !== 0n && b !== 0n),
  '||': ofTwo((a, b) => a !== 0n || b !== 0n),
  '==': equal(true),
  '!=': equal(false),
  '!': ({ stack }) => stack.push(stack.uint() === 0n),
  '|': ofTwo((a, b) => a | b),
  '&': ofTwo((a, b) => a & b),
  '^': ofTwo((a, b) => a ^ b),
  '~': ({ stack }) => stack.push(stack.uint() ^ MASK),
  shl: ofTwo((a, b) => (a << shift(b)) & MASK),
  shr: ofTwo((a, b) => a >> shift(b)),
  exp: ofTwo(power),
  sqrt: ({ stack }) => stack.push(rootOf(stack.uint())),
  mulw({ stack }) {
    const product = stack.uint() * stack.uint();
    stack.push(product >> 64n);
    stack.push(product & MASK);
  },
  addw({ stack }) {
    const sum = stack.uint() + stack.uint();
    stack.push(sum >> 64n);
    stack.push(sum & MASK);
  },
  divw({ stack }) {
    const by = divisor(stack.uint());
    const low = stack.uint();
    const quotient = ((stack.uint() << 64n) | low) / by;
    if (quotient >= END) throw new ProgramRejected('the result is no number of 64 bits');
    stack.push(quotient);
  },
  bitlen({ stack }) {
    const value = stack.pop();
    const number = isBytes(value) ? BigInt(`0x0${Buffer.from(value).toString('hex')}`) : value;
    stack.push(number === 0n ? 0 : number.toString(2).length);
  },
};
