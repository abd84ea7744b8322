import { invalid } from '../kernel/schema.ts';

/** As the ARC wants them; nothing that a reader could take for something else. */
const URI = /^(ipfs|https|ar|algorand):\/\/[\x21-\x7e]+$/;

/** A text as it is kept, of at most so many bytes. Refuses a longer one. */
export function boundedOf(pointer: string, text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  throw invalid([{ pointer, message: `must have at most ${bytesMax} bytes of UTF-8` }]);
}

/** Of metadata. Refuses one that wallets would not read. */
export function uriOf(uri: string): string {
  if (URI.test(uri)) return uri;
  const message = 'must be a URI of ipfs, https, ar or algorand, in ASCII without spaces';
  throw invalid([{ pointer: '/uri', message }]);
}
