import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { isAddress, isHostName, kindOf } from '../../../platform/egress/addresses.ts';
import { parseUrl } from '../../../platform/parse_url.ts';

/** A picture that a payload names, with its size in pixels if the poster has told it. */
interface Picture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** Endings of addresses of pictures that browsers show. */
const ENDING = /\.(png|jpe?g|gif|webp|avif|svg)$/i;

/**
 * The picture of a payload: an https address alone, or JSON {"image", "width"?, "height"?}.
 * `isNamed`: any https address is one, as in a task about boxes.
 */
export function pictureOf(payload: string, isNamed = false): Picture | undefined {
  const alone = httpsUrl(payload.trim());
  if (alone) return isNamed || ENDING.test(alone.pathname) ? { url: alone.href } : undefined;
  const read = readJsonText(payload.trim());
  const value = 'fault' in read ? undefined : read.value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { image, width, height } = value as { readonly [name: string]: unknown };
  const url = typeof image === 'string' ? httpsUrl(image) : undefined;
  if (!url) return undefined;
  return isSize(width) && isSize(height) ? { url: url.href, width, height } : { url: url.href };
}

/** An https address that is all of a text, without a name and password in it. */
export function httpsUrl(text: string): URL | undefined {
  if (!/^https:\/\/\S+$/i.test(text)) return undefined;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

/** Names that lead nowhere but into the reader's own network (RFC 6761, 6762, 8375; ICANN). */
const OWN_NETWORK = /(^|\.)(localhost|local|internal|home\.arpa|lan|intranet|home|corp)$/;

/**
 * Whether a browser may be led to the host of an https address: a public address, or a name with a
 * dot that is not one of the reader's own network. Addresses of names are not looked up.
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAddress(host)) return kindOf(host) === 'public';
  const name = host.replace(/\.$/, '');
  return isHostName(name) && name.includes('.') && !OWN_NETWORK.test(name);
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 100_000;
