import { ProgramRejected, type StateValue } from '../program.ts';

const VALUES_MAX = 1_000;
export const BYTES_MAX = 4_096;

/** The stack from which instructions take arguments, and onto which they put results. */
export interface ValueStack {
  readonly depth: number;
  push(value: StateValue | boolean | number): void;
  pop(): StateValue;
  uint(): bigint;
  bytes(): Uint8Array;
  /** Takes a number that is used as an index or a length. */
  size(): number;
  /** The value at this position, counted from the bottom. */
  at(place: number): StateValue;
  put(place: number, value: StateValue): void;
  insert(place: number, value: StateValue): void;
  /** Takes the values from this position on. */
  takeFrom(place: number): StateValue[];
  remove(place: number): StateValue;
}

export function openStack(): ValueStack {
  const values: StateValue[] = [];
  const inside = (place: number): number => {
    if (place >= 0 && place < values.length) return place;
    throw new ProgramRejected('it looks for a value that is not on the stack');
  };
  const stack: ValueStack = {
    get depth() {
      return values.length;
    },
    push(value) {
      const pushed = typeof value === 'object' ? value : BigInt(value);
      if (values.length >= VALUES_MAX) throw new ProgramRejected('stack overflow');
      if (isBytes(pushed) && pushed.length > BYTES_MAX) {
        throw new ProgramRejected(`a value has ${pushed.length} bytes, more than ${BYTES_MAX}`);
      }
      values.push(pushed);
    },
    pop() {
      inside(values.length - 1);
      return values.pop()!;
    },
    uint() {
      const value = stack.pop();
      if (isBytes(value)) throw new ProgramRejected('it takes a number and found bytes');
      return value;
    },
    bytes() {
      const value = stack.pop();
      if (!isBytes(value)) throw new ProgramRejected('it takes bytes and found a number');
      return value;
    },
    size() {
      const value = stack.uint();
      // More than any value may have: whatever uses it as an index or a length refuses it.
      return value > 2n ** 32n ? 2 ** 32 : Number(value);
    },
    at: (place) => values[inside(place)]!,
    put(place, value) {
      values[inside(place)] = value;
    },
    insert(place, value) {
      if (place < 0 || place > values.length) inside(place);
      values.splice(place, 0, value);
    },
    takeFrom(place) {
      if (place < 0 || place > values.length) inside(place);
      return values.splice(place);
    },
    remove: (place) => values.splice(inside(place), 1)[0]!,
  };
  return stack;
}

export const isBytes = (value: StateValue): value is Uint8Array => typeof value !== 'bigint';

export const isSame = (one: StateValue, other: StateValue): boolean =>
  isBytes(one) ? isBytes(other) && Buffer.compare(one, other) === 0 : one === other;

/** The number in big-endian bytes; 0 for none. */
export const numberOf = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** The shortest bytes for a number, or exactly this many. */
export function bytesOfNumber(number: bigint, length = 0): Uint8Array {
  const hex = number === 0n ? '' : number.toString(16);
  const digits = Math.max(length * 2, hex.length + (hex.length % 2));
  return new Uint8Array(Buffer.from(hex.padStart(digits, '0'), 'hex'));
}
