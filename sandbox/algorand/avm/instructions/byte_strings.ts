import { createHash } from 'node:crypto';

import { ProgramRejected } from '../../program.ts';
import type { Instruction } from '../machine.ts';
import { BYTES_MAX, bytesOfNumber, isBytes, numberOf } from '../value_stack.ts';

export function partOf(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (length < 0 || start + length > bytes.length) {
    throw new ProgramRejected(`it takes bytes up to ${start + length} of ${bytes.length}`);
  }
  return bytes.slice(start, start + length);
}

export function replaced(bytes: Uint8Array, start: number, by: Uint8Array): Uint8Array {
  if (start + by.length > bytes.length) {
    throw new ProgramRejected(`it replaces bytes up to ${start + by.length} of ${bytes.length}`);
  }
  const copy = bytes.slice();
  copy.set(by, start);
  return copy;
}

const numberAt =
  (length: number): Instruction =>
  ({ stack }) => {
    const start = stack.size();
    stack.push(numberOf(partOf(stack.bytes(), start, length)));
  };

const hashed =
  (algorithm: string): Instruction =>
  ({ stack }) =>
    stack.push(new Uint8Array(createHash(algorithm).update(stack.bytes()).digest()));

/** Position of a bit in bytes: the first is the highest of the first byte. */
function bitOf(bytes: Uint8Array, index: number): { at: number; mask: number } {
  if (index >= bytes.length * 8) throw new ProgramRejected(`there is no bit ${index}`);
  return { at: index >> 3, mask: 128 >> (index & 7) };
}

export const BYTE_STRINGS: Readonly<Record<string, Instruction>> = {
  sha256: hashed('sha256'),
  sha512_256: hashed('sha512-256'),
  len: ({ stack }) => stack.push(stack.bytes().length),
  itob: ({ stack }) => stack.push(bytesOfNumber(stack.uint(), 8)),
  btoi({ stack }) {
    const bytes = stack.bytes();
    if (bytes.length > 8) throw new ProgramRejected(`${bytes.length} bytes are more than 64 bits`);
    stack.push(numberOf(bytes));
  },
  bzero({ stack }) {
    const length = stack.size();
    if (length > BYTES_MAX) throw new ProgramRejected(`it asks for ${length} bytes`);
    stack.push(new Uint8Array(length));
  },
  concat({ stack }) {
    const end = stack.bytes();
    stack.push(new Uint8Array(Buffer.concat([stack.bytes(), end])));
  },
  extract({ stack, reader }) {
    const [start, length] = [reader.u8(), reader.u8()];
    const bytes = stack.bytes();
    stack.push(partOf(bytes, start, length === 0 ? bytes.length - start : length));
  },
  extract3({ stack }) {
    const [length, start] = [stack.size(), stack.size()];
    stack.push(partOf(stack.bytes(), start, length));
  },
  substring({ stack, reader }) {
    const [start, end] = [reader.u8(), reader.u8()];
    stack.push(partOf(stack.bytes(), start, end - start));
  },
  substring3({ stack }) {
    const [end, start] = [stack.size(), stack.size()];
    stack.push(partOf(stack.bytes(), start, end - start));
  },
  extract_uint16: numberAt(2),
  extract_uint32: numberAt(4),
  extract_uint64: numberAt(8),
  replace2({ stack, reader }) {
    const by = stack.bytes();
    stack.push(replaced(stack.bytes(), reader.u8(), by));
  },
  replace3({ stack }) {
    const by = stack.bytes();
    const start = stack.size();
    stack.push(replaced(stack.bytes(), start, by));
  },
  getbyte({ stack }) {
    const index = stack.size();
    stack.push(partOf(stack.bytes(), index, 1)[0]!);
  },
  setbyte({ stack }) {
    const [byte, index] = [stack.size(), stack.size()];
    if (byte > 255) throw new ProgramRejected(`${byte} is no byte`);
    stack.push(replaced(stack.bytes(), index, Uint8Array.of(byte)));
  },
  getbit({ stack }) {
    const index = stack.size();
    const value = stack.pop();
    if (isBytes(value)) {
      const { at, mask } = bitOf(value, index);
      return stack.push((value[at]! & mask) !== 0);
    }
    if (index > 63) throw new ProgramRejected(`there is no bit ${index}`);
    stack.push((value >> BigInt(index)) & 1n);
  },
  setbit({ stack }) {
    const [bit, index] = [stack.size(), stack.size()];
    const value = stack.pop();
    if (bit > 1) throw new ProgramRejected(`${bit} is no bit`);
    if (isBytes(value)) {
      const { at, mask } = bitOf(value, index);
      const byte = bit === 1 ? value[at]! | mask : value[at]! & ~mask;
      return stack.push(replaced(value, at, Uint8Array.of(byte)));
    }
    if (index > 63) throw new ProgramRejected(`there is no bit ${index}`);
    const mask = 1n << BigInt(index);
    stack.push(bit === 1 ? value | mask : value & ~mask);
  },
};
