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

/** Names of money that people would take an asset for, in small letters and digits. */
const RESERVED = [
  'algo',
  'algorand',
  'btc',
  'bitcoin',
  'eth',
  'ether',
  'ethereum',
  'eurc',
  'eurocoin',
  'pyusd',
  'sol',
  'solana',
  'tether',
  'tetherusd',
  'usd',
  'usdc',
  'usdcoin',
  'usdt',
];

/** Returns the name of an asset. Refuses that of a currency, however it is written. */
export function ownNameOf(pointer: string, name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (!RESERVED.includes(letters)) return name;
  throw invalid([{ pointer, message: 'is the name of another currency: choose your own' }]);
}
