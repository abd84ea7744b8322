import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isUnanswered } from '../platform/fault.ts';
import { FORGET_MS } from '../platform/shares/backoff.ts';
import type { IncomingCall } from '../kernel/call.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Context } from '../kernel/context.ts';
import { accessRefusal, type AccessRule } from './access.ts';
import { PLATFORM, type Caller } from './caller.ts';
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
 * The same of a request for metrics, where it may be the password of HTTP Basic too, as a scraper
 * or a browser sends it. Nowhere else: a browser that was given one sends it along to every path of
 * this origin, also in a form that a page of somebody else has submitted.
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

/** Where a token came from, and who is told of the limit that it met. */
type Sender = Pick<IncomingCall, 'address' | 'onRateLimit' | 'prove'>;

/**
 * The caller that this token proves. Refuses one that may not call operations with this rule. An
 * address that has sent too many wrong tokens of operators has to wait, longer each time.
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
  if (!caller) throw invalidKey();
  const refusal = accessRefusal(caller, rule);
  if (refusal) throw refusal;
  return caller;
}

/** Of a web session. Operators have sessions of their own, which are those of no agent. */
async function authenticatePerson(
  prove: () => Promise<Caller | undefined>,
  rule: AccessRule,
): Promise<Caller> {
  const caller = await prove();
  if (!caller) throw new Refusal('authentication_required', 'Sign in: this session is over.');
  const isOperator = caller.operator !== undefined;
  if (rule.access !== 'public' && isOperator !== (rule.access === 'operator')) {
    throw new Refusal('forbidden', 'This is for others than those who signed in here.');
  }
  const reason = isOperator ? undefined : accessRefusal(caller, rule);
  if (reason) throw reason;
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

function authenticateOperator(
  { config, limiters: { operatorLogins } }: Context,
  token: string | undefined,
  { address = '', onRateLimit }: Sender,
): Caller {
  if (token === undefined) {
    throw new Refusal('authentication_required', 'Send the operator token as Bearer token.');
  }
  const waitMs = operatorLogins.leftMs(address);
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    const limit = { name: 'logins', limit: operatorLogins.free!, windowSeconds: FORGET_MS / 1_000 };
    onRateLimit?.({ ...limit, left: 0, resetSeconds: seconds });
    throw new Refusal(
      'rate_limited',
      `Too many wrong tokens came from this address. Nothing was looked at: try again in ${seconds} s.`,
      { limited_by: 'address', retry_after_seconds: seconds },
    );
  }
  // Digests have one length, whatever was sent, and each is compared, so it takes the same time.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const sent = digest(token);
  const [operator] = config.agents.operators.filter((known) =>
    timingSafeEqual(sent, digest(known.token)),
  );
  if (!operator) {
    operatorLogins.fail(address);
    throw new Refusal('invalid_key', 'This is not the operator token.');
  }
  return Object.freeze({ ...PLATFORM, operator: operator.name });
}
