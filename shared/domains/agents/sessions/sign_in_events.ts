import type { EventData } from '../../events/event_data.ts';
import { emit } from '../../events/events.ts';
import { noteSignIn } from '../../mail/notices/note_events.ts';
import { transact } from '../../../platform/database.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import type { DataSource, EntityManager } from 'typeorm';

/** Failures that are announced: a person mistypes a password once or twice. */
const FAILURES_ANNOUNCED = 3;

/** Tells an owner that somebody has signed in, and by which proof; by mail, from a new browser. */
export async function emitSignedIn(
  db: EntityManager,
  { id, status }: { readonly id: number; readonly status: string },
  { proof, nonce }: { proof: NonNullable<EventData['proof']>; nonce: string | undefined },
): Promise<void> {
  const object = { kind: 'agent', id, status } as const;
  await emit(db, [{ agentId: id, type: 'agent.signed_in', object, data: { proof } }]);
  // Without a nonce the browser was never signed in under this name.
  if (nonce === undefined) await noteSignIn(db, id);
}

/**
 * Tells an owner, at most once an hour, that its password or codes are being guessed: at the third
 * failure of unknown browsers, or of a known one, in 15 minutes. An unknown name costs the same
 * work.
 */
export async function emitGuessing(
  database: DataSource,
  agentId: number | undefined,
  count: number,
): Promise<void> {
  if (count < FAILURES_ANNOUNCED) return;
  await transact(database, async (db) => {
    const [agent] = await note(db, agentId ?? 0);
    if (!agent) return;
    const object = { kind: 'agent' as const, id: agent.id, status: agent.status };
    await emit(db, [{ agentId: agent.id, type: 'agent.guessed_at', object, data: {} }]);
  });
}

const note = (db: Database, agentId: number) =>
  rows(
    db,
    { id: column.id, status: column.text },
    `with notice as (
       insert into guess_notice (agent_id, told_at)
       select id, now() from agent where id = $1
       on conflict (agent_id) do update set told_at = excluded.told_at
         where guess_notice.told_at < now() - interval '1 hour'
       returning agent_id)
     select a.id, a.status from notice join agent a on a.id = notice.agent_id`,
    [agentId],
  );
