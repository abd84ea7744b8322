import { list, urlList } from './setting_values.ts';
import { parseUrl } from '../parse_url.ts';

/** Parsers of chain settings. Each throws a fault in words that follow the setting's name. */

export function rpcUrls(text: string): readonly string[] {
  const urls = urlList(text);
  const odd = urls.find((url) => !/^https?:\/\/\S+$/.test(url) || !parseUrl(url));
  // The URL of a provider often ends with a key, so the message does not repeat it.
  if (odd !== undefined) throw new Error('must be URLs of http or https, with commas between them');
  if (new Set(urls).size < urls.length) throw new Error('names a provider twice');
  return urls;
}

export function evmAddress(text: string): string {
  if (!/^0x[\da-fA-F]{40}$/.test(text)) throw new Error('must be an address: 0x and 40 hex digits');
  return text;
}

export const evmAddresses = (text: string): readonly string[] => list(text).map(evmAddress);

/** An xpub, from which addresses can be derived without any private key. */
export function extendedPublicKey(text: string): string {
  if (!/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/.test(text)) {
    throw new Error('must be an extended public key, which begins with xpub');
  }
  return text;
}

/** A secret value sent unchanged in a header. The message of a fault does not repeat it. */
export function headerValue(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new Error('must be at most 200 characters of ASCII without spaces');
  }
  return text;
}
