import type { EntityManager } from 'typeorm';

import type { EventType } from '../../events/event_types.ts';
import { emit } from '../../events/events.ts';
import { endTokens } from '../../mail/tokens.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { OneOf, Output, Time } from '../../../kernel/schema.ts';
import {
  column,
  execute,
  namesOf,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../../platform/rows.ts';

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
type PasswordReset = Row<typeof COLUMNS>;

export const PasswordResetView = Output('PasswordReset', {
  status: OneOf(STATUSES, 'waiting: not applied yet.'),
  created_at: Time('Request time.'),
  due_at: Time('Time it takes effect unless stopped.'),
});

export const viewOf = ({ status, created_at: at, due_at: dueAt }: PasswordReset) => ({
  status,
  created_at: at.toISOString(),
  due_at: dueAt.toISOString(),
});

/** Inserts a reset that waits 24 hours. Undefined: one of this owner waits already. */
export async function insertReset(
  db: Database,
  { agentId, keyId, passwordHash }: { agentId: number; keyId: number; passwordHash: string },
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

/** Stops the waiting reset of an owner. Refuses with `not_found` if none waits. */
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
  if (!stopped) throw new Refusal('not_found', 'You have no waiting password reset.');
  await tell(db, stopped, 'agent.password_reset_stopped');
  return stopped;
}

/** Locks the due resets, so that nobody stops them before this transaction ends. */
export const lockDueResets = (db: Database, max: number): Promise<PasswordReset[]> =>
  rows(
    db,
    COLUMNS,
    `select ${namesOf(COLUMNS)} from password_reset
      where status = 'waiting' and due_at <= now()
      order by due_at limit $1 for update skip locked`,
    [max],
  );

/** Sets the new password and ends all sessions of the owner. */
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
  await endTokens(db, { agentId: reset.agent_id });
  await tell(db, reset, 'agent.password_reset');
}

/** Emits the event of a reset to the owner. */
export async function tell(
  db: EntityManager,
  { agent_id: agentId }: Pick<PasswordReset, 'agent_id'>,
  type: EventType<'agent'>,
): Promise<void> {
  const sql = 'select status from agent where id = $1';
  const [agent] = await rows(db, { status: column.text }, sql, [agentId]);
  const object = { kind: 'agent' as const, id: agentId, status: agent!.status };
  await emit(db, [{ agentId, type, object, data: {} }]);
}
