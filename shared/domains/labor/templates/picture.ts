import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { parseUrl } from '../../../platform/parse_url.ts';

/** A picture that a payload names, with its size in pixels if the poster has told it. */
export interface Picture {
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

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 100_000;
