import { createHash, timingSafeEqual } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import type { Context } from '../../../composition/context.ts';
import type { EventData } from '../../events/event_data.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { transact } from '../../../platform/database.ts';
import { hasAppCodes, takeAppCode } from '../factors/app_codes.ts';
import { takeRecoveryCode } from '../factors/recovery_codes.ts';
import { isPassword } from '../passwords.ts';
import { countAttempt, forgetAttempts, type Limit } from './attempts.ts';
import { startSession, type Browser, type WebSession } from './sessions.ts';
import {
  holdPassword,
  rootOfId,
  rootOfName,
  rootOfTicket,
  ticketOf,
  type Root,
} from './tickets.ts';
import { fold, knownOf, nonceOf } from './known_browsers.ts';
import { emitGuessing, emitSignedIn } from './sign_in_events.ts';

/** Failures in 15 minutes, per name from unknown browsers and per known browser (OWASP). */
const FAILURES_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 50;

/** The credentials of a person who signs in. */
interface SignIn extends Browser {
  readonly kind: 'owner' | 'operator';
  readonly name: string;
  /** The password of an owner, or the token of an operator. */
  readonly secret: string;
  /** The device cookie that came with it. */
  readonly known: string | undefined;
}

/** The cookies for a browser: its session, and the proof that it was signed in before. */
interface SignInResult {
  readonly token: string;
  readonly known: string;
}

/** The answer to a right password when a code is needed too: a ticket to send with the code. */
export interface CodeRequest {
  readonly ticket: string;
}

/** The second step of signing in. */
interface SecondStep extends Browser {
  readonly ticket: string;
  /** A code of the app, or a recovery code. */
  readonly code: string;
  readonly known: string | undefined;
}

type Parts = Pick<Context, 'database' | 'config' | 'secrets' | 'clock'>;

/**
 * Signs a person in. Refuses with `invalid_key`, in the same words and after the same work whether
 * the name is unknown or the password is wrong, and with `rate_limited` after too many failures. A
 * browser that was signed in before has its own count, so nobody can lock an owner out of it. An
 * owner with app codes must give one next.
 */
export async function signIn(parts: Parts, who: SignIn): Promise<SignInResult | CodeRequest> {
  const { proven, attempt } = await prove(parts, who);
  if ('root' in proven && (await hasAppCodes(parts.database, proven.root.id))) {
    await forgetAttempts(parts.database, attempt);
    return { ticket: ticketOf(parts, proven.root) };
  }
  return transact(parts.database, async (db) => {
    await forgetAttempts(db, attempt);
    const token =
      'root' in proven
        ? await startOf(parts, db, proven.root, { proof: 'password', ...who })
        : await startSession(db, proven, who);
    return { token, known: knownOf(parts, who) };
  });
}

/** Signs in an owner that has given its password, by a code. Limited like the first step. */
export async function signInByCode(parts: Parts, step: SecondStep): Promise<SignInResult> {
  const { root, attempt, proof } = await proveByCode(parts, step);
  const known = knownOf(parts, { kind: 'owner', name: root.name, known: step.known });
  return transact(parts.database, async (db) => {
    await forgetAttempts(db, attempt);
    return { token: await startOf(parts, db, root, { proof, ...step }), known };
  });
}

/** Signs in an owner by its passkey: nothing can be guessed, so nothing is counted. */
export async function signInProven(
  parts: Parts,
  agentId: number,
  browser: Browser & Pick<SignIn, 'known'>,
): Promise<SignInResult> {
  const root = await rootOfId(parts, agentId);
  if (!root) throw new Refusal('invalid_key', 'This passkey belongs to no owner.');
  const known = knownOf(parts, { kind: 'owner', name: root.name, known: browser.known });
  return transact(parts.database, async (db) => {
    return { token: await startOf(parts, db, root, { proof: 'passkey', ...browser }), known };
  });
}

interface Start extends Browser {
  readonly proof: NonNullable<EventData['proof']>;
  readonly known: string | undefined;
}

/** Starts the session of an owner, who is told so. */
async function startOf(parts: Parts, db: EntityManager, root: Root, start: Start): Promise<string> {
  if (start.proof !== 'passkey') await holdPassword(db, root);
  const nonce = nonceOf(parts, { kind: 'owner', name: root.name }, start.known);
  await emitSignedIn(db, root, { proof: start.proof, nonce });
  return startSession(db, { agentId: root.id, rootId: root.id }, start);
}

/**
 * The root with this name and password, for one action and without a session. Refused as by
 * `signIn`, and counted together with it. A root with app codes must give one next.
 */
export async function proveOwner(
  parts: Parts,
  given: Pick<SignIn, 'name' | 'secret' | 'known' | 'address'>,
): Promise<{ readonly agentId: number } | CodeRequest> {
  const { proven, attempt } = await prove(parts, { kind: 'owner', device: '', ...given });
  await forgetAttempts(parts.database, attempt);
  if ('operator' in proven) throw new Error('an operator is no owner');
  const { root } = proven;
  if (await hasAppCodes(parts.database, root.id)) return { ticket: ticketOf(parts, root) };
  return { agentId: root.id };
}

/** The root that has given its password before and gives a code now. */
export async function proveOwnerByCode(
  parts: Parts,
  step: Omit<SecondStep, 'device'>,
): Promise<{ readonly agentId: number }> {
  const { root, attempt } = await proveByCode(parts, step);
  await forgetAttempts(parts.database, attempt);
  return { agentId: root.id };
}

async function prove(parts: Parts, who: SignIn) {
  const { database } = parts;
  const attempt = await transact(database, (db) => countAttempt(db, limitsOf(parts, who)));
  const root = who.kind === 'owner' ? await rootOfName(parts, who.name) : undefined;
  const proven = await provenBy(parts, who, root);
  if (proven) return { proven, attempt };
  if (who.kind === 'owner') await emitGuessing(database, root?.id, attempt.count);
  throw new Refusal('invalid_key', 'The name or the password is wrong.');
}

async function proveByCode(parts: Parts, step: Omit<SecondStep, 'device'>) {
  const [{ database }, { ticket, code, known, address }] = [parts, step];
  const root = await rootOfTicket(parts, ticket);
  if (!root) {
    const why = 'This sign-in has expired. Enter your name and password again.';
    throw new Refusal('authentication_required', why);
  }
  const limits = limitsOf(parts, { kind: 'owner', name: root.name, known, address }, 'code ');
  const attempt = await transact(database, (db) => countAttempt(db, limits));
  const proof = await transact(database, async (db) => {
    if (await takeAppCode(parts, db, root.id, code)) return 'app_code';
    return (await takeRecoveryCode(db, root.id, code)) ? 'recovery_code' : undefined;
  });
  if (proof) return { root, attempt, proof } as const;
  await emitGuessing(database, root.id, attempt.count);
  throw new Refusal('invalid_key', 'The code is wrong or was used before.');
}

/**
 * Whether this is the password or token of a session's person, or a code of its app: a proof,
 * counted like signing in. `password`: a code is not accepted.
 */
export async function provesAgain(
  parts: Parts,
  { name, caller }: WebSession,
  { secret, address }: Pick<SignIn, 'secret' | 'address'>,
  by: 'any' | 'password' = 'any',
): Promise<boolean> {
  const kind = caller.operator === undefined ? 'owner' : 'operator';
  const limits = [{ subject: `proof ${kind} ${caller.sessionId}`, max: FAILURES_MAX }];
  const attempt = await transact(parts.database, (db) => countAttempt(db, limits));
  const isRight =
    by === 'any' && kind === 'owner' && isCode(secret)
      ? await transact(parts.database, (db) => takeAppCode(parts, db, caller.agentId, secret))
      : await isSecretOf(parts, { kind, name, secret, address });
  if (isRight) await forgetAttempts(parts.database, attempt);
  return isRight;
}

/** Six digits are a code: every password is longer. */
const isCode = (secret: string) => /^\d{6}$/.test(secret);

const isSecretOf = async (
  parts: Parts,
  given: Pick<SignIn, 'kind' | 'name' | 'secret' | 'address'>,
): Promise<boolean> => {
  const root = given.kind === 'owner' ? await rootOfName(parts, given.name) : undefined;
  return (await provenBy(parts, { ...given, device: '', known: undefined }, root)) !== undefined;
};

function limitsOf(
  parts: Parts,
  { kind, name, known, address }: Pick<SignIn, 'kind' | 'name' | 'known' | 'address'>,
  what = '',
): Limit[] {
  const nonce = nonceOf(parts, { kind, name }, known);
  const subject = nonce === undefined ? `${kind} ${digest(fold(name))}` : `browser ${nonce}`;
  return [
    { subject: what + subject, max: FAILURES_MAX },
    { subject: `address ${address}`, max: FAILURES_PER_ADDRESS_MAX },
  ];
}

type Proven = { readonly root: Root } | { readonly operator: string };

async function provenBy(
  parts: Parts,
  { kind, name, secret, address }: SignIn,
  root: Root | undefined,
): Promise<Proven | undefined> {
  if (kind === 'operator') {
    const [operator] = parts.config.agents.operators.filter((one) => {
      const isRight = timingSafeEqual(sha256(secret), sha256(one.token));
      return isRight && one.name === name;
    });
    return operator && { operator: operator.name };
  }
  const isRight = await isPassword(root?.passwordHash, secret, {
    address,
    memoryKib: parts.config.agents.passwordMemoryKib,
  });
  return root && isRight ? { root } : undefined;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const digest = (text: string) => sha256(text).toString('base64url').slice(0, 22);
