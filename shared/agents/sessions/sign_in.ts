import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Context } from '../../kernel/context.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { transact } from '../../platform/database.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { isPassword } from '../passwords.ts';
import { countAttempt, forgetAttempts, type Limit } from './attempts.ts';
import { startSession, type Browser, type SessionOwner, type WebSession } from './sessions.ts';

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

type Parts = Pick<Context, 'database' | 'config' | 'secrets'>;

/**
 * Signs a person in. Refuses with `invalid_key`, in the same words and after the same work whether
 * the name is unknown or the password is wrong, and with `rate_limited` after too many failures. A
 * browser that was signed in before has failures of its own, so nobody can lock an owner out of it.
 */
export async function signIn(parts: Parts, who: SignIn): Promise<SignedIn> {
  const { owner, attempts } = await prove(parts, who);
  return transact(parts.database, async (db) => {
    await forgetAttempts(db, attempts);
    return { token: await startSession(db, owner, who), known: knownOf(parts, who) };
  });
}

/**
 * The root whose name and password these are, for one thing that it does now: no session begins.
 * Refused as by `signIn`, and counted together with that.
 */
export async function proveOwner(
  parts: Parts,
  given: Pick<SignIn, 'name' | 'secret' | 'known' | 'address'>,
): Promise<number> {
  const { owner, attempts } = await prove(parts, { kind: 'owner', device: '', ...given });
  await forgetAttempts(parts.database, attempts);
  if ('operator' in owner) throw new Error('an operator is no owner');
  return owner.agentId;
}

async function prove(parts: Parts, who: SignIn) {
  const attempts = await transact(parts.database, (db) => countAttempt(db, limitsOf(parts, who)));
  const owner = await provenBy(parts, who);
  if (!owner) throw new Refusal('invalid_key', 'That name and password do not go together.');
  return { owner, attempts };
}

/** Whether this is the secret of a session's person: a proof, counted as signing in is. */
export async function provesAgain(
  parts: Parts,
  { name, caller }: WebSession,
  given: Pick<SignIn, 'secret' | 'address'>,
): Promise<boolean> {
  const kind = caller.operator === undefined ? 'owner' : 'operator';
  const limits = [{ subject: `proof ${kind} ${caller.sessionId}`, max: FAILURES_MAX }];
  const attempts = await transact(parts.database, (db) => countAttempt(db, limits));
  const who: SignIn = { kind, name, device: '', known: undefined, ...given };
  if (!(await provenBy(parts, who))) return false;
  await forgetAttempts(parts.database, attempts);
  return true;
}

function limitsOf(parts: Parts, { kind, name, known, address }: SignIn): Limit[] {
  const nonce = nonceOf(parts, { kind, name }, known);
  const subject = nonce === undefined ? `${kind} ${digest(fold(name))}` : `browser ${nonce}`;
  return [
    { subject, max: FAILURES_MAX },
    { subject: `address ${address}`, max: FAILURES_PER_ADDRESS_MAX },
  ];
}

async function provenBy(parts: Parts, who: SignIn): Promise<SessionOwner | undefined> {
  const { kind, name, secret, address } = who;
  if (kind === 'operator') {
    const [operator] = parts.config.agents.operators.filter((one) => {
      const isRight = timingSafeEqual(sha256(secret), sha256(one.token));
      return isRight && one.name === name;
    });
    return operator && { operator: operator.name };
  }
  const root = await findRoot(parts.database, name);
  const isRight = await isPassword(root?.password_hash, secret, address);
  return root && isRight ? { agentId: root.id, rootId: root.id } : undefined;
}

async function findRoot(db: Database, name: string) {
  const [root] = await rows(
    db,
    { id: column.id, password_hash: column.text },
    `select id, password_hash from agent
      where lower(username) = lower($1) and owner_id is null and password_hash is not null`,
    [name],
  );
  return root;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const digest = (text: string) => sha256(text).toString('base64url').slice(0, 22);
const fold = (name: string) => name.normalize('NFKC').toLowerCase();

const PURPOSE = 'console.device';
const textOf = (kind: string, name: string, nonce: string) => `${kind}|${fold(name)}|${nonce}`;

/** `nonce.signature`: a browser that has signed in under this name. */
function knownOf(parts: Parts, { kind, name, known }: SignIn): string {
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
