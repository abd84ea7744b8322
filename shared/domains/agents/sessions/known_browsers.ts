import { randomBytes } from 'node:crypto';

import type { Secrets } from '../../../platform/secrets.ts';

/** A name that a browser signs in under. */
interface Named {
  readonly kind: 'owner' | 'operator';
  readonly name: string;
}

interface Parts {
  readonly secrets: Secrets;
}

const PURPOSE = 'console.device';

/** One spelling of a name that may be typed in several. */
export const fold = (name: string): string => name.normalize('NFKC').toLowerCase();

/** `nonce.signature`: a browser that has signed in under this name. */
export function knownOf(
  parts: Parts,
  { kind, name, known }: Named & { readonly known: string | undefined },
): string {
  const nonce = nonceOf(parts, { kind, name }, known) ?? randomBytes(16).toString('base64url');
  const { hash } = parts.secrets.hash(PURPOSE, textOf(kind, name, nonce));
  return `${nonce}.${hash.toString('base64url')}`;
}

/** The nonce of such a proof. Undefined: it is none, or of another name. */
export function nonceOf(
  { secrets }: Parts,
  { kind, name }: Named,
  known?: string,
): string | undefined {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(known ?? '') ?? [];
  if (nonce === undefined || signature === undefined) return undefined;
  const hash = Buffer.from(signature, 'base64url');
  return secrets.isHashOf(hash, PURPOSE, textOf(kind, name, nonce)) ? nonce : undefined;
}

const textOf = (kind: string, name: string, nonce: string) => `${kind}|${fold(name)}|${nonce}`;
