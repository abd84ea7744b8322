import type { EntityManager } from 'typeorm';

import { emit } from '../../events/events.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { OneOf, Output, Time } from '../../kernel/schema.ts';
import {
  column,
  execute,
  namesOf,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';

const STATUSES = ['waiting', 'done', 'stopped'] as const;

const COLUMNS = {
  id: column.id,
  agent_id: column.id,
  key_id: column.id,
  status: oneOf<(typeof STATUSES)[number]>(),
  created_at: column.time,
  due_at: column.time,
};

/** A password that takes effect later. */
export type PasswordReset = Row<typeof COLUMNS>;

export const PasswordResetView = Output('PasswordReset', {
  status: OneOf(STATUSES, 'waiting until it takes effect.'),
  created_at: Time('When it was asked for.'),
  due_at: Time('When it takes effect, unless it is stopped.'),
});

export const viewOf = ({ status, created_at: at, due_at: dueAt }: PasswordReset) => ({
  status,
  created_at: at.toISOString(),
  due_at: dueAt.toISOString(),
});

interface Wanted {
  readonly agentId: number;
  readonly keyId: number;
  readonly passwordHash: string;
}

/** One that waits 24 hours. Undefined: one of this owner waits already. */
export async function insertReset(
  db: Database,
  { agentId, keyId, passwordHash }: Wanted,
): Promise<PasswordReset | undefined> {
  const [made] = await rows(
    db,
    COLUMNS,
    `insert into password_reset (agent_id, key_id, password_hash, due_at)
     values ($1, $2, $3, now() + interval '24 hours')
     on conflict (agent_id) where status = 'waiting' do nothing
     returning ${namesOf(COLUMNS)}`,
    [agentId, keyId, passwordHash],
  );
  return made;
}

/** Stops the one of an owner that waits. Refuses with `not_found` where none does any more. */
export async function stopReset(db: EntityManager, agentId: number): Promise<PasswordReset> {
  const [stopped] = await rows(
    db,
    COLUMNS,
    `with stopped as (
       update password_reset set status = 'stopped', password_hash = null, ended_at = now()
        where agent_id = $1 and status = 'waiting' returning *)
     select ${namesOf(COLUMNS)} from stopped`,
    [agentId],
  );
  if (!stopped) throw new Refusal('not_found', 'No reset of your password waits.');
  await tell(db, stopped, 'agent.password_reset_stopped');
  return stopped;
}

/** Those whose time has come, which nobody stops before this transaction ends. */
export const lockDueResets = (db: Database, max: number): Promise<PasswordReset[]> =>
  rows(
    db,
    COLUMNS,
    `select ${namesOf(COLUMNS)} from password_reset
      where status = 'waiting' and due_at <= now()
      order by due_at limit $1 for update skip locked`,
    [max],
  );

/** Its password is that of its owner from now on, and who is signed in is so no more. */
export async function applyReset(db: EntityManager, reset: PasswordReset): Promise<void> {
  await execute(
    db,
    `update agent set password_hash = r.password_hash
       from password_reset r where r.id = $1 and agent.id = r.agent_id`,
    [reset.id],
  );
  await execute(
    db,
    `update password_reset set status = 'done', password_hash = null, ended_at = now()
      where id = $1`,
    [reset.id],
  );
  await execute(db, 'delete from web_session where agent_id = $1', [reset.agent_id]);
  await tell(db, reset, 'agent.password_reset');
}

/** Tells the owner. */
export async function tell(
  db: EntityManager,
  { agent_id: agentId }: Pick<PasswordReset, 'agent_id'>,
  type: string,
): Promise<void> {
  const sql = 'select status from agent where id = $1';
  const [agent] = await rows(db, { status: column.text }, sql, [agentId]);
  const object = { kind: 'agent', id: agentId, status: agent!.status };
  await emit(db, [{ agentId, type, object, data: {} }]);
}
