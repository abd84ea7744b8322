import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isUnanswered } from '../../platform/fault.ts';
import { FORGET_MS } from '../../platform/shares/backoff.ts';
import type { IncomingCall } from '../../kernel/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Context } from '../../composition/context.ts';
import { accessRefusal, type AccessRule } from './access.ts';
import { PLATFORM, type Caller } from '../../kernel/caller.ts';
import { isOfSandbox } from './keys.ts';
import { invalidKey } from './own_keys.ts';

export const KEY_NEEDED =
  'Send your API key: Authorization: Bearer vnx_… An MCP client takes it from its configuration: ' +
  'add it there and connect again. register_agent gives you one, free.';

type Request = Pick<IncomingMessage, 'headers'>;

/** The bearer token of a request; undefined: there is none, or it cannot be read. */
export function tokenOf(request: Request): string | undefined {
  const { scheme, value } = authorizationOf(request);
  return scheme === 'bearer' ? value : undefined;
}

/**
 * The token of a request for metrics: a bearer token, or the password of HTTP Basic as scrapers and
 * browsers send it. No other request may use Basic: a browser sends such a password to every path
 * of this origin, even in a form that another site's page has submitted.
 */
export function scraperTokenOf(request: Request): string | undefined {
  const { scheme, value } = authorizationOf(request);
  if (scheme !== 'basic') return tokenOf(request);
  return /^[^:]*:(.+)$/.exec(Buffer.from(value, 'base64').toString())?.[1];
}

function authorizationOf({ headers }: Request): { scheme: string; value: string } {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+) *$/.exec(headers.authorization ?? '') ?? [];
  return { scheme: scheme.toLowerCase(), value };
}

/** The sender of a token, and the callback that is told of the limit it met. */
type Sender = Pick<IncomingCall, 'address' | 'onRateLimit' | 'prove'>;

/**
 * The caller that this token proves. Refuses a caller whom this rule does not allow. An address
 * that has sent too many wrong operator tokens has to wait, longer each time.
 */
export async function authenticate(
  context: Context,
  token: string | undefined,
  rule: AccessRule,
  sender: Sender = {},
): Promise<Caller> {
  const { access } = rule;
  if (sender.prove) return authenticatePerson(sender.prove, rule);
  if (access === 'operator') return authenticateOperator(context, token, sender);
  if (token === undefined && access === 'public') return PLATFORM;
  if (token === undefined) {
    throw new Refusal('authentication_required', KEY_NEEDED);
  }
  const caller = await find(context, token);
  if (!caller && isOfSandbox(token) && !context.config.sandbox) {
    throw new Refusal('invalid_key', 'This is the key of a sandbox. This marketplace is not one.');
  }
  if (!caller) throw invalidKey();
  const refusal = accessRefusal(caller, rule);
  if (refusal) throw refusal;
  return caller;
}

/** The caller of a web session. Operators have separate sessions, which belong to no agent. */
async function authenticatePerson(
  prove: () => Promise<Caller | undefined>,
  rule: AccessRule,
): Promise<Caller> {
  const caller = await prove();
  if (!caller)
    throw new Refusal('authentication_required', 'This session has ended: sign in again.');
  const isOperator = caller.operator !== undefined;
  if (rule.access !== 'public' && isOperator !== (rule.access === 'operator')) {
    throw new Refusal('forbidden', 'This needs another kind of account: owner or operator.');
  }
  const reason = isOperator ? undefined : accessRefusal(caller, rule);
  if (reason) throw reason;
  return caller;
}

/** The caller of a key. An unknown key is looked up in the database, which may not answer. */
async function find({ keys }: Context, token: string): Promise<Caller | undefined> {
  try {
    return await keys.find(token);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const refusal = new Refusal(
      'service_unavailable',
      'The database does not answer. Nothing was done: retry later.',
    );
    refusal.cause = error;
    throw refusal;
  }
}

function authenticateOperator(
  { config, limiters: { operatorLogins } }: Context,
  token: string | undefined,
  { address = '', onRateLimit }: Sender,
): Caller {
  if (token === undefined) {
    throw new Refusal('authentication_required', 'Send the operator token as a Bearer token.');
  }
  const waitMs = operatorLogins.leftMs(address);
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    const limit = { name: 'logins', limit: operatorLogins.free!, windowSeconds: FORGET_MS / 1_000 };
    onRateLimit?.({ ...limit, left: 0, resetSeconds: seconds });
    throw new Refusal(
      'rate_limited',
      `Too many wrong tokens from this address. This one was not checked: retry in ${seconds} s.`,
      { limited_by: 'address', retry_after_seconds: seconds },
    );
  }
  // Digests have one length and all are compared, so the time tells nothing about a token.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const sent = digest(token);
  const [operator] = config.agents.operators.filter((known) =>
    timingSafeEqual(sent, digest(known.token)),
  );
  if (!operator) {
    operatorLogins.fail(address);
    const message = token.startsWith('vnx_')
      ? 'This is the key of an agent. Operators send their own token here.'
      : 'The operator token is wrong.';
    throw new Refusal('invalid_key', message);
  }
  return Object.freeze({ ...PLATFORM, operator: operator.name });
}
