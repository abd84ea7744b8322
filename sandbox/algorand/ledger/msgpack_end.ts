import { Rejected } from './rejected.ts';

/**
 * End of the msgpack value that starts at `at`. A group is sent as one transaction after the other,
 * and each is compared with its own encoding, so it must be cut out and not encoded again.
 */
export function msgpackEnd(bytes: Buffer, at: number): number {
  const type = bytes[at];
  if (type === undefined) throw new Rejected('msgpack decode error: it ends too early');
  if (type <= 0x7f || type >= 0xe0 || (type >= 0xc0 && type <= 0xc3)) return at + 1;
  if (type <= 0x8f) return valuesEnd(bytes, at + 1, 2 * (type & 15));
  if (type <= 0x9f) return valuesEnd(bytes, at + 1, type & 15);
  if (type <= 0xbf) return dataEnd(bytes, at + 1, type & 31);
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return dataEnd(bytes, at + 1, fixed);
  const header = LENGTH_BYTES[type];
  if (header === undefined) throw new Rejected('msgpack decode error: a type that is not used');
  dataEnd(bytes, at + 1, header);
  const length = bytes.readUIntBE(at + 1, header);
  if (type === 0xdc || type === 0xdd) return valuesEnd(bytes, at + 1 + header, length);
  if (type === 0xde || type === 0xdf) return valuesEnd(bytes, at + 1 + header, 2 * length);
  return dataEnd(bytes, at + 1 + header, length);
}

/** Types of numbers, with their lengths in bytes. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
};

/** Types of bytes, texts, lists and maps, with the bytes of their length field. */
const LENGTH_BYTES: Readonly<Record<number, number>> = {
  0xc4: 1,
  0xc5: 2,
  0xc6: 4,
  0xd9: 1,
  0xda: 2,
  0xdb: 4,
  0xdc: 2,
  0xdd: 4,
  0xde: 2,
  0xdf: 4,
};

function dataEnd(bytes: Buffer, start: number, length: number): number {
  if (start + length <= bytes.length) return start + length;
  throw new Rejected('msgpack decode error: it ends too early');
}

function valuesEnd(bytes: Buffer, start: number, count: number): number {
  let end = start;
  for (let n = 0; n < count; n += 1) end = msgpackEnd(bytes, end);
  return end;
}
