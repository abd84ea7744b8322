import type { Context } from '../../../composition/context.ts';
import { recordMail } from '../../mail/record_mail.ts';
import { endTokens, lockToken } from '../../mail/tokens.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { transact } from '../../../platform/database.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import { linkIsOver } from '../addresses/addresses.ts';
import { hasAppCodes, takeAppCode } from '../factors/app_codes.ts';
import { takeRecoveryCode } from '../factors/recovery_codes.ts';
import { hashPassword } from '../passwords.ts';
import { refuseWeakPasswordOf } from '../weak_passwords/weak_passwords.ts';
import { countAttempt, forgetAttempts } from '../sessions/attempts.ts';
import { stopReset, tell } from './password_reset.ts';

/** Wrong codes in 15 minutes for one owner. */
const WRONG_CODES_MAX = 10;

interface NewPassword {
  readonly token: string;
  readonly password: string;
  /** A code of the app or a recovery code; empty: none was given. */
  readonly code: string;
  readonly address: string;
}

type Parts = Pick<Context, 'database' | 'secrets' | 'config' | 'clock'>;

/** The facts for the page of a link. Undefined: the link is over. */
export async function findPasswordLink(
  { database }: Pick<Parts, 'database'>,
  token: string,
): Promise<{ readonly needsCode: boolean } | undefined> {
  const link = await transact(database, (db) => lockToken(db, 'password', token));
  return link && { needsCode: await hasAppCodes(database, link.agentId) };
}

/** Checks a code, if the owner of the link has an app, and hashes the password. */
export async function preparePassword(
  parts: Parts,
  { token, password, code, address }: NewPassword,
): Promise<string> {
  const { database } = parts;
  const link = await transact(database, (db) => lockToken(db, 'password', token));
  if (!link) throw passwordLinkIsOver();
  await refuseWeakPasswordOf(database, link.agentId, password);
  if (await hasAppCodes(database, link.agentId)) await takeCode(parts, link.agentId, code);
  const { passwordMemoryKib: memoryKib } = parts.config.agents;
  return hashPassword(password, { address, memoryKib });
}

/** Sets the password, by the link once. All sessions end, and the owner is told. */
export async function setByLink(tx: Tx, token: string, passwordHash: string): Promise<void> {
  const link = await lockToken(tx.db, 'password', token);
  if (!link) throw passwordLinkIsOver();
  const { agentId, address } = link;
  const { username } = await row(
    tx.db,
    { username: column.text },
    'update agent set password_hash = $2 where id = $1 returning username',
    [agentId, passwordHash],
  );
  await endTokens(tx.db, { agentId });
  await execute(tx.db, 'delete from web_session where agent_id = $1', [agentId]);
  // One that was asked for with a key would replace the new password.
  if (await hasWaiting(tx, agentId)) await stopReset(tx.db, agentId);
  await tell(tx.db, { agent_id: agentId }, 'agent.password_reset');
  await recordMail(tx, {
    key: `password/${link.id}/done`,
    agentId,
    kind: 'password_reset',
    to: address,
    data: { username },
  });
}

const passwordLinkIsOver = () => linkIsOver('Ask for another one.');

async function hasWaiting({ db }: Tx, agentId: number): Promise<boolean> {
  const sql = `select id from password_reset where agent_id = $1 and status = 'waiting'`;
  return (await rows(db, { id: column.id }, sql, [agentId])).length > 0;
}

/** A mailbox alone does not replace the second factor of an owner that has one. */
async function takeCode(parts: Parts, agentId: number, code: string): Promise<void> {
  const limit = { subject: `mailed reset ${agentId}`, max: WRONG_CODES_MAX };
  const attempt = await transact(parts.database, (db) => countAttempt(db, [limit]));
  const isRight = await transact(
    parts.database,
    async (db) =>
      (await takeAppCode(parts, db, agentId, code)) || (await takeRecoveryCode(db, agentId, code)),
  );
  if (!isRight) throw new Refusal('invalid_key', 'The code is wrong or was used before.');
  await forgetAttempts(parts.database, attempt);
}
