import { hash, randomBytes } from 'node:crypto';

import type { Tx } from '../../kernel/tx.ts';
import {
  column,
  execute,
  namesOf,
  row,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** Use of a link: to prove an address, or to set another password. */
type TokenPurpose = 'address' | 'password';

/** Hours for which a link works. */
const HOURS: Readonly<Record<TokenPurpose, number>> = { address: 24, password: 1 };

/** A link that works. */
export interface MailToken {
  readonly id: number;
  readonly agentId: number;
  readonly address: string;
}

interface NewToken {
  readonly agentId: number;
  readonly purpose: TokenPurpose;
  readonly address: string;
}

/** Makes a link, which replaces earlier ones of its purpose. Returns its id. */
export async function makeToken(
  { db, secrets }: Pick<Tx, 'db' | 'secrets'>,
  { agentId, purpose, address }: NewToken,
): Promise<number> {
  await endTokens(db, { agentId, purpose });
  const nonce = randomBytes(32);
  const { keyId, hash: token } = secrets.hash(PURPOSE, nonce.toString('base64url'));
  const made = await row(
    db,
    { id: column.id },
    `insert into mail_token (agent_id, purpose, address, nonce, pepper_id, hash, ends_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7)) returning id`,
    [agentId, purpose, address, nonce, keyId, digestOf(textOf(token)), HOURS[purpose]],
  );
  return made.id;
}

/** The link that a token is for, locked; undefined: it never was, is over, or was used. */
export async function lockToken(
  db: Database,
  purpose: TokenPurpose,
  token: string,
): Promise<MailToken | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const sql = `
    select ${namesOf(LINK)} from mail_token
     where hash = $1 and purpose = $2 and used_at is null and ends_at > now() for update`;
  return linkOf(await rows(db, LINK, sql, [digestOf(token), purpose]));
}

/** The link that a token was for, if it was used or replaced and would work otherwise. */
export async function findUsed(
  db: Database,
  purpose: TokenPurpose,
  token: string,
): Promise<MailToken | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const sql = `select ${namesOf(LINK)} from mail_token
                where hash = $1 and purpose = $2 and used_at is not null and ends_at > now()`;
  return linkOf(await rows(db, LINK, sql, [digestOf(token), purpose]));
}

/**
 * Ends all links of a purpose that an owner has. Without a purpose all end, as with a new password:
 * whoever knew the one before may have asked for a link to another address.
 */
export const endTokens = (
  db: Database,
  { agentId, purpose }: Pick<NewToken, 'agentId'> & { readonly purpose?: TokenPurpose },
): Promise<number> =>
  execute(
    db,
    `update mail_token set used_at = now()
      where agent_id = $1 and purpose = coalesce($2, purpose) and used_at is null`,
    [agentId, purpose ?? null],
  );

/** The token of a stored link, for its mail; undefined: it is over, so no mail needs it. */
export async function tokenOf(
  db: Database,
  secrets: Secrets,
  id: number,
): Promise<string | undefined> {
  const [found] = await rows(
    db,
    { nonce: column.bytes, pepper_id: column.text },
    `select nonce, pepper_id from mail_token
      where id = $1 and used_at is null and ends_at > now()`,
    [id],
  );
  if (!found || !secrets.knows(found.pepper_id)) return undefined;
  const { nonce, pepper_id: keyId } = found;
  return textOf(secrets.hash(PURPOSE, nonce.toString('base64url'), keyId).hash);
}

const LINK = { id: column.id, agent_id: column.id, address: column.text };
const linkOf = ([found]: readonly Row<typeof LINK>[]): MailToken | undefined =>
  found && { id: found.id, agentId: found.agent_id, address: found.address };

const PURPOSE = 'mail.token';
const TOKEN = /^[\w-]{43}$/;
const textOf = (token: Buffer) => token.toString('base64url');
const digestOf = (token: string) => hash('sha256', token, 'buffer');
