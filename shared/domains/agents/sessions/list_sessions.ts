import { endTokens } from '../../mail/tokens.ts';
import { execute, column, rows, type Database } from '../../../platform/rows.ts';
import { hashPassword, type HashRequest } from '../passwords.ts';
import type { WebSession } from './sessions.ts';

/** A web session as its owner sees it. */
export interface SessionView {
  readonly id: number;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
}

/** The live sessions of an owner, latest first. */
export async function listSessions(db: Database, { caller }: WebSession): Promise<SessionView[]> {
  const found = await rows(
    db,
    COLUMNS,
    `select id, device, address, created_at, seen_at from web_session
      where agent_id = $1 and ends_at > now() and seen_at > now() - interval '1 hour'
      order by id desc limit 100`,
    [caller.agentId],
  );
  return found.map(({ created_at: createdAt, seen_at: seenAt, ...rest }) => ({
    ...rest,
    createdAt,
    seenAt,
  }));
}

/** Ends the owner's session of this id, or all its sessions but the current one. */
export async function endSessions(
  db: Database,
  { id, caller }: WebSession,
  which: number | 'others',
): Promise<number> {
  return which === 'others'
    ? execute(db, 'delete from web_session where agent_id = $1 and id <> $2', [caller.agentId, id])
    : execute(db, 'delete from web_session where agent_id = $1 and id = $2', [
        caller.agentId,
        which,
      ]);
}

/** Sets another password, and ends all sessions of the owner but this one. */
export async function changePassword(
  db: Database,
  session: WebSession,
  { password, ...request }: HashRequest & { password: string },
): Promise<void> {
  const hash = await hashPassword(password, request);
  await execute(db, 'update agent set password_hash = $2 where id = $1', [
    session.caller.agentId,
    hash,
  ]);
  await endTokens(db, { agentId: session.caller.agentId });
  await endSessions(db, session, 'others');
}

const COLUMNS = {
  id: column.id,
  device: column.text,
  address: column.text,
  created_at: column.time,
  seen_at: column.time,
};
