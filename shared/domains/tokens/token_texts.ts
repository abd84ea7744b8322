import { invalid } from '../../kernel/schema.ts';

/** URIs that the ARCs allow, in characters that cannot be misread. */
const URI = /^(ipfs|https|ar|algorand):\/\/[\x21-\x7e]+$/;

/** Returns a text of at most `bytesMax` bytes. Refuses a longer one. */
export function boundedOf(pointer: string, text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  throw invalid([{ pointer, message: `must have at most ${bytesMax} bytes of UTF-8` }]);
}

/** Returns a URI of metadata. Refuses one that wallets would not read. */
export function uriOf(uri: string): string {
  if (URI.test(uri)) return uri;
  const message = 'must be a URI of ipfs, https, ar or algorand, in ASCII without spaces';
  throw invalid([{ pointer: '/uri', message }]);
}
