import type { MasterKey } from '../config/setting_values.ts';
import { weaknessOf, weaknessOfBytes } from './secret_strength.ts';

/** Findings for the person who set the secrets. None repeats a secret. */

/** `name`: the setting and, in a list, the item: `OPERATOR_TOKENS of ada`. */
export function weakSecret(name: string, secret: string, advice = RANDOM): string[] {
  const weakness = weaknessOf(secret);
  return weakness === undefined ? [] : [`${name} ${weakness}: ${advice}`];
}
const RANDOM = 'make another with openssl rand -base64 32';

export const weakMasterKeys = (keys: readonly MasterKey[]): string[] =>
  keys.flatMap(({ id, key }) => {
    const weakness = weaknessOfBytes(key);
    if (weakness === undefined) return [];
    return `MASTER_KEYS: the key ${id} ${weakness}: make another as docs/master_keys.md shows`;
  });

/** A server in a private network may have a short password, but not that of .env.example. */
export const examplePasswords = (urls: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(urls).flatMap(([name, text]) => {
    const [, password] = /^[\w+]+:\/\/[^:@/]*:([^@/]*)@/.exec(text ?? '') ?? [];
    if (password !== 'password') return [];
    return `${name} has the password of .env.example: give that role another`;
  });
