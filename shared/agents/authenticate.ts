import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Access } from '../kernel/operation.ts';
import { isUnanswered } from '../platform/fault.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Context } from '../kernel/context.ts';
import { accessRefusal, type AccessRule } from './access.ts';
import { PLATFORM, type Caller } from './caller.ts';
import { invalidKey } from './own_keys.ts';

export const KEY_NEEDED =
  'Send your API key: Authorization: Bearer vnx_… An MCP client takes it from its configuration: ' +
  'add it there and connect again. register_agent gives you one, free.';

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

/**
 * The caller that this token proves. Refuses one that may not call operations with this rule.
 */
export async function authenticate(
  context: Context,
  token: string | undefined,
  rule: AccessRule,
): Promise<Caller> {
  const { access } = rule;
  if (access === 'operator') return authenticateOperator(context, token);
  if (token === undefined && access === 'public') return PLATFORM;
  if (token === undefined) {
    throw new Refusal('authentication_required', KEY_NEEDED);
  }
  const caller = await find(context, token);
  if (!caller) throw invalidKey();
  const refusal = accessRefusal(caller, rule);
  if (refusal) throw refusal;
  return caller;
}

/** A key that this process does not know is looked up, so the database may not answer. */
async function find({ keys }: Context, token: string): Promise<Caller | undefined> {
  try {
    return await keys.find(token);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const refusal = new Refusal(
      'service_unavailable',
      'The database does not answer. Nothing was done: try again in a moment.',
    );
    refusal.cause = error;
    throw refusal;
  }
}

function authenticateOperator({ config }: Context, token: string | undefined): Caller {
  if (token === undefined) {
    throw new Refusal('authentication_required', 'Send the operator token as Bearer token.');
  }
  // Digests have one length, whatever was sent, and each is compared, so it takes the same time.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const sent = digest(token);
  const [operator] = config.agents.operators.filter((known) =>
    timingSafeEqual(sent, digest(known.token)),
  );
  if (!operator) throw new Refusal('invalid_key', 'This is not the operator token.');
  return Object.freeze({ ...PLATFORM, operator: operator.name });
}
