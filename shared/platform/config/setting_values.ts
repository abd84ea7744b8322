import { randomBytes } from 'node:crypto';

import { hostPortOf, isAddress } from '../egress/addresses.ts';
import { redisAddressOf } from './redis_address.ts';
import { parseUrl } from '../parse_url.ts';
import { checkUser } from './url_user.ts';

export interface MasterKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Parsers of settings. Each throws its fault in words that follow the name of the setting. */

export const whole = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max}, not ${text}`);
  }
  return value;
};

/** A number with at most six decimals, like amounts. */
export const decimal = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+(\.\d{1,6})?$/.test(text) || value < min || value > max) {
    throw new Error(`must be a number from ${min} to ${max} with up to six decimals, not ${text}`);
  }
  return value;
};

export const url =
  (...schemes: string[]) =>
  (text: string) => {
    if (!schemes.includes(parseUrl(text)?.protocol.slice(0, -1) ?? '')) {
      throw new Error(
        `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
      );
    }
    return text.replace(/\/$/, '');
  };

/** A PostgreSQL URL of one host: the driver would take a list of hosts for one name. */
export function postgresUrl(text: string): string {
  const [, host = ''] = /^\w+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(text) ?? [];
  const [, another = ''] = /[?&]host=([^&]*)/.exec(text) ?? [];
  if (/,|%2c/i.test(host + another)) {
    throw new Error(
      'names several hosts: name one that leads to the primary, such as HAProxy or PgBouncer',
    );
  }
  checkUser(text);
  return url('postgres', 'postgresql')(text);
}

export function redisUrl(text: string): string {
  redisAddressOf(text);
  return text.replace(/\/$/, '');
}

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    if (!values.includes(text as T)) throw new Error(`must be one of ${values.join(', ')}`);
    return text as T;
  };

/** `off`, read as null, or a value for `parse`. */
export const orOff =
  <T>(parse: (text: string) => T) =>
  (text: string): T | null =>
    text === 'off' ? null : parse(text);

export function flag(text: string): boolean {
  return oneOf('true', 'false')(text) === 'true';
}

/** A list separated by commas. Spaces do too: some lists had them before. */
export function list(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** The same of URLs: a comma is a part of one, unless a space or another URL follows. */
export const urlList = (text: string): readonly string[] =>
  text.split(/,?\s+|,(?=https?:\/\/)/).filter(Boolean);

/** `*`, or a list of origins as browsers send them. */
export function origins(text: string): readonly string[] {
  const odd = list(text).find((item) => item !== '*' && parseUrl(item)?.origin !== item);
  if (odd === undefined) return list(text);
  throw new Error(`names ${odd}, which is no origin like https://app.example.com`);
}

export function nameServers(text: string): readonly string[] {
  const odd = list(text).find(
    (item) => !isAddress(item) && !isAddress(hostPortOf(item)?.host ?? ''),
  );
  if (odd !== undefined) throw new Error(`names ${odd}, which is no address[:port]`);
  return list(text);
}

export function hostPort(text: string): string {
  if (!hostPortOf(text)) throw new Error('must be host:port');
  return text;
}

export function mailbox(text: string): string {
  if (!/^[\w.+-]{1,64}@([a-z\d-]+\.)+[a-z][a-z\d-]*$/.test(text)) {
    throw new Error('must be an address like checker@market.example.com');
  }
  return text;
}

export function secret(text: string): string {
  if (text.length < 24) throw new Error('must have at least 24 characters');
  return text;
}

export function masterKeys(text: string): readonly MasterKey[] {
  const keys = list(text).map((item) => {
    const [id, encoded, ...rest] = item.split(':');
    const key = Buffer.from(encoded ?? '', 'base64url');
    if (!id || !/^\w{1,16}$/.test(id) || key.length !== 32 || rest.length > 0) {
      throw new Error('must be a list of <id>:<32 bytes in base64url>, separated by commas');
    }
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new Error('repeats a key id');
  return keys;
}

/** A new master key in the form of MASTER_KEYS: `<id>:<32 bytes in base64url>`. */
export const newMasterKey = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
