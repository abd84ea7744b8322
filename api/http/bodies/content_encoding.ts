import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';

import { Refusal } from '../../../shared/kernel/refusal.ts';

/** Decompresses to at most `maxOutputLength` bytes. */
type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const gzip: Decompress = promisify(gunzip);
const [zlib, raw]: Decompress[] = [promisify(inflate), promisify(inflateRaw)];

/** Senders disagree on `deflate`: RFC 9110 means zlib's format, some send its bare contents. */
const deflate: Decompress = (bytes, options) => (isZlib(bytes) ? zlib! : raw!)(bytes, options);

/** A zlib header: method 8, and a check that makes its two bytes a multiple of 31. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

const ENCODINGS: Readonly<Record<string, Decompress>> = { gzip, 'x-gzip': gzip, deflate };

/** The way to decompress a body of this Content-Encoding; undefined: it is not compressed. */
export function decompressionOf(encoding: string | undefined): Decompress | undefined {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  if (Object.hasOwn(ENCODINGS, name)) return ENCODINGS[name];
  throw new Refusal(
    'unsupported_encoding',
    'The body has an encoding that is not read here. Send it plain, or as gzip or deflate.',
    {},
    { 'Accept-Encoding': 'gzip, deflate' }, // RFC 9110, section 15.5.16.
  );
}

/** The body as it was before its sender compressed it. It may not be larger than a plain one. */
export async function decompressed(
  decompress: Decompress,
  bytes: Buffer,
  tooLarge: () => Refusal,
  bytesMax: number,
): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new Refusal('validation_error', 'The body is not compressed as Content-Encoding says.');
  }
}
