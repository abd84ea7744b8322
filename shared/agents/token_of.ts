import type { IncomingMessage } from 'node:http';

import type { Access } from '../kernel/operation.ts';

/** The token of the Authorization header; undefined: there is none, or it cannot be read. */
export function tokenOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  access: Access,
): string | undefined {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+) *$/.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  // Operators log in with a browser, which asks for a name and a password.
  if (scheme.toLowerCase() === 'basic' && access === 'operator') {
    return /^[^:]*:(.+)$/.exec(Buffer.from(value, 'base64').toString())?.[1];
  }
  return undefined;
}
