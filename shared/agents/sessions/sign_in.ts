import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Context } from '../../kernel/context.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { transact } from '../../platform/database.ts';
import { hasAppCodes, takeAppCode } from '../factors/app_codes.ts';
import { takeRecoveryCode } from '../factors/recovery_codes.ts';
import { isPassword } from '../passwords.ts';
import { countAttempt, forgetAttempts, type Limit } from './attempts.ts';
import { startSession, type Browser, type SessionOwner, type WebSession } from './sessions.ts';
import { rootOfId, rootOfName, rootOfTicket, ticketOf, type Root } from './tickets.ts';
import { tellGuessed, tellSignedIn } from './told.ts';

/** In 15 minutes (OWASP's device cookies): of a name from unknown browsers, of one browser. */
const FAILURES_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 50;

/** Who signs in, and how. */
export interface SignIn extends Browser {
  readonly kind: 'owner' | 'operator';
  readonly name: string;
  /** Of an owner, a password; of an operator, its token. */
  readonly secret: string;
  /** The device cookie that came with it. */
  readonly known: string | undefined;
}

/** What a browser is given: the session, and the proof that it was signed in before. */
export interface SignedIn {
  readonly token: string;
  readonly known: string;
}

/** The password was right, and a code is missing: the ticket comes with that. */
export interface CodeAsked {
  readonly ticket: string;
}

/** The second step of signing in. */
export interface SecondStep extends Browser {
  readonly ticket: string;
  /** Of the app, or for recovery. */
  readonly code: string;
  readonly known: string | undefined;
}

type Parts = Pick<Context, 'database' | 'config' | 'secrets' | 'clock'>;

/**
 * Signs a person in. Refuses with `invalid_key`, in the same words and after the same work whether
 * the name is unknown or the password is wrong, and with `rate_limited` after too many failures. A
 * browser that was signed in before has failures of its own, so nobody can lock an owner out of it.
 * An owner with app codes is asked for one next.
 */
export async function signIn(parts: Parts, who: SignIn): Promise<SignedIn | CodeAsked> {
  const { proven, attempt } = await prove(parts, who);
  if ('root' in proven && (await hasAppCodes(parts.database, proven.root.id))) {
    await forgetAttempts(parts.database, attempt);
    return { ticket: ticketOf(parts, proven.root) };
  }
  return transact(parts.database, async (db) => {
    await forgetAttempts(db, attempt);
    if ('root' in proven) await tellSignedIn(db, proven.root, 'password');
    return { token: await startSession(db, ownerOf(proven), who), known: knownOf(parts, who) };
  });
}

/** Signs an owner in that has given its password. Refused and limited as that is. */
export async function signInByCode(parts: Parts, step: SecondStep): Promise<SignedIn> {
  const { root, attempt, proof } = await proveByCode(parts, step);
  const known = knownOf(parts, { kind: 'owner', name: root.name, known: step.known });
  return transact(parts.database, async (db) => {
    await forgetAttempts(db, attempt);
    await tellSignedIn(db, root, proof);
    const token = await startSession(db, { agentId: root.id, rootId: root.id }, step);
    return { token, known };
  });
}

/** Signs an owner in whose passkey has answered: nothing was guessed, so nothing is counted. */
export async function signInProven(
  parts: Parts,
  agentId: number,
  browser: Browser & Pick<SignIn, 'known'>,
): Promise<SignedIn> {
  const root = await rootOfId(parts, agentId);
  if (!root) throw new Refusal('invalid_key', 'This passkey is of no owner.');
  const known = knownOf(parts, { kind: 'owner', name: root.name, known: browser.known });
  return transact(parts.database, async (db) => {
    await tellSignedIn(db, root, 'passkey');
    return { token: await startSession(db, { agentId, rootId: agentId }, browser), known };
  });
}

/**
 * The root whose name and password these are, for one thing that it does now: no session begins.
 * Refused as by `signIn`, and counted together with that. Where it has app codes, a code is asked
 * for next.
 */
export async function proveOwner(
  parts: Parts,
  given: Pick<SignIn, 'name' | 'secret' | 'known' | 'address'>,
): Promise<{ readonly agentId: number } | CodeAsked> {
  const { proven, attempt } = await prove(parts, { kind: 'owner', device: '', ...given });
  await forgetAttempts(parts.database, attempt);
  if ('operator' in proven) throw new Error('an operator is no owner');
  const { root } = proven;
  if (await hasAppCodes(parts.database, root.id)) return { ticket: ticketOf(parts, root) };
  return { agentId: root.id };
}

/** The root that has given its password before, and now a code. */
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
  if (who.kind === 'owner') await tellGuessed(database, root?.id, attempt.count);
  throw new Refusal('invalid_key', 'That name and password do not go together.');
}

async function proveByCode(parts: Parts, { ticket, code, known, address }: StepGiven) {
  const { database } = parts;
  const root = await rootOfTicket(parts, ticket);
  if (!root) {
    const why = 'That took too long. Give your name and password again.';
    throw new Refusal('authentication_required', why);
  }
  const limits = limitsOf(parts, { kind: 'owner', name: root.name, known, address }, 'code ');
  const attempt = await transact(database, (db) => countAttempt(db, limits));
  const proof = await transact(database, async (db) => {
    if (await takeAppCode(parts, db, root.id, code)) return 'app_code';
    return (await takeRecoveryCode(db, root.id, code)) ? 'recovery_code' : undefined;
  });
  if (proof) return { root, attempt, proof } as const;
  await tellGuessed(database, root.id, attempt.count);
  throw new Refusal('invalid_key', 'That is not the code now, or it was used before.');
}

type StepGiven = Omit<SecondStep, 'device'>;

/**
 * Whether this is the secret of a session's person, or a code of its app: a proof, counted as
 * signing in is. `password`: a code does not do.
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

/** No password is as short. */
const isCode = (secret: string) => /^\d{6}$/.test(secret);

const isSecretOf = async (
  parts: Parts,
  { kind, name, secret, address }: Pick<SignIn, 'kind' | 'name' | 'secret' | 'address'>,
): Promise<boolean> => {
  const who: SignIn = { kind, name, secret, address, device: '', known: undefined };
  const root = kind === 'owner' ? await rootOfName(parts, name) : undefined;
  return (await provenBy(parts, who, root)) !== undefined;
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

const ownerOf = (proven: Proven): SessionOwner =>
  'root' in proven ? { agentId: proven.root.id, rootId: proven.root.id } : proven;

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
const fold = (name: string) => name.normalize('NFKC').toLowerCase();

const PURPOSE = 'console.device';
const textOf = (kind: string, name: string, nonce: string) => `${kind}|${fold(name)}|${nonce}`;

/** `nonce.signature`: a browser that has signed in under this name. */
function knownOf(
  parts: Parts,
  { kind, name, known }: Pick<SignIn, 'kind' | 'name' | 'known'>,
): string {
  const nonce = nonceOf(parts, { kind, name }, known) ?? randomBytes(16).toString('base64url');
  const { hash } = parts.secrets.hash(PURPOSE, textOf(kind, name, nonce));
  return `${nonce}.${hash.toString('base64url')}`;
}

function nonceOf(
  { secrets }: Parts,
  { kind, name }: Pick<SignIn, 'kind' | 'name'>,
  known: string | undefined,
): string | undefined {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(known ?? '') ?? [];
  if (nonce === undefined || signature === undefined) return undefined;
  const hash = Buffer.from(signature, 'base64url');
  return secrets.isHashOf(hash, PURPOSE, textOf(kind, name, nonce)) ? nonce : undefined;
}
