import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Value = string | number | { readonly [key: string]: Value };

/** Types of the MaxMind DB format 2.0. */
const STRING = 2;
const UINT32 = 6;
const MAP = 7;
const BITS = 32;
const SEPARATOR = Buffer.alloc(16);

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([(STRING << 5) | text.length]), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes[0] = (UINT32 << 5) | 4;
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const fields = Object.entries(value).flatMap(([key, field]) => [encoded(key), encoded(field)]);
  return Buffer.concat([Buffer.from([(MAP << 5) | Object.keys(value).length]), ...fields]);
}

/** A database of one IPv4 address, as a file: written apart from what reads it. */
export function writeMmdb(address: string, found: { readonly [key: string]: Value }): string {
  const bits = address
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  // A node a bit: one side goes on, or to the data at the end; the other knows nothing.
  const tree = Buffer.alloc(BITS * 6);
  for (let n = 0; n < BITS; n += 1) {
    const onward = n + 1 < BITS ? n + 1 : BITS + SEPARATOR.length;
    const [left, right] = bits[n] === '0' ? [onward, BITS] : [BITS, onward];
    tree.writeUIntBE(left!, 6 * n, 3);
    tree.writeUIntBE(right!, 6 * n + 3, 3);
  }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: 'Test',
    description: { en: 'Test' },
    ip_version: 4,
    languages: { en: 'en' },
    node_count: BITS,
    record_size: 24,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  const file = join(tmpdir(), `${randomUUID()}.mmdb`);
  writeFileSync(file, Buffer.concat([tree, SEPARATOR, encoded(found), marker, metadata]));
  return file;
}
