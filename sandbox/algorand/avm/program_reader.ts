import { ProgramRejected } from '../program.ts';
import { GLOBAL_FIELDS, TXN_FIELDS } from './opcodes.ts';

/** A running program and its position. */
export interface ProgramReader {
  readonly position: number;
  readonly isAtEnd: boolean;
  goTo(position: number): void;
  u8(): number;
  i8(): number;
  uint(): bigint;
  bytes(): Uint8Array;
  /** Target of a jump. */
  label(): number;
  labels(): number[];
  listOf<T>(one: () => T): T[];
  txnField(): string;
  globalField(): string;
}

export function readProgram(program: Uint8Array): ProgramReader {
  let position = 0;
  const u8 = (): number => {
    const byte = program[position];
    if (byte === undefined) throw new ProgramRejected('the program ends inside of an instruction');
    position += 1;
    return byte;
  };
  const i16 = (): number => ((u8() << 24) >> 16) | u8();
  const uint = (): bigint => {
    let number = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = BigInt(u8());
      number |= (byte & 127n) << shift;
      if (byte < 128n && number < 2n ** 64n) return number;
    }
    throw new ProgramRejected('a number of the program has more than 64 bits');
  };
  const listOf = <T>(one: () => T): T[] => {
    const length = Number(uint());
    if (length > program.length) throw new ProgramRejected('a list of the program is cut off');
    return Array.from({ length }, one);
  };
  const fieldOf = (fields: readonly string[]): string => {
    const number = u8();
    const field = fields[number];
    if (field === undefined) throw new ProgramRejected(`there is no field ${number} here`);
    return field;
  };

  return {
    get position() {
      return position;
    },
    get isAtEnd() {
      return position >= program.length;
    },
    goTo(target) {
      if (target < 0 || target > program.length)
        throw new ProgramRejected('a jump leaves the program');
      position = target;
    },
    u8,
    i8: () => (u8() << 24) >> 24,
    uint,
    bytes() {
      const length = Number(uint());
      if (position + length > program.length) throw new ProgramRejected('a constant is cut off');
      position += length;
      return program.slice(position - length, position);
    },
    label() {
      const distance = i16();
      return position + distance;
    },
    labels() {
      const distances = listOf(i16);
      return distances.map((distance) => position + distance);
    },
    listOf,
    txnField: () => fieldOf(TXN_FIELDS),
    globalField: () => fieldOf(GLOBAL_FIELDS),
  };
}
