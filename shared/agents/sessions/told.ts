import type { EventData } from '../../events/event_data.ts';
import { emit } from '../../events/events.ts';
import { transact } from '../../platform/database.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import type { DataSource, EntityManager } from 'typeorm';

/** A person mistypes a password once or twice. */
const GUESSES_TOLD = 3;

/** Tells an owner that somebody has signed in, and by what. */
export const tellSignedIn = (
  db: EntityManager,
  { id, status }: { readonly id: number; readonly status: string },
  proof: NonNullable<EventData['proof']>,
): Promise<void> =>
  emit(db, [
    {
      agentId: id,
      type: 'agent.signed_in',
      object: { kind: 'agent', id, status },
      data: { proof },
    },
  ]);

/**
 * Tells an owner, at most once an hour, that its password or its codes are guessed at: the third
 * time that unknown browsers, or a known one, fail in 15 minutes. Does the same for nobody.
 */
export async function tellGuessed(
  database: DataSource,
  agentId: number | undefined,
  count: number,
): Promise<void> {
  if (count < GUESSES_TOLD) return;
  await transact(database, async (db) => {
    const [told] = await note(db, agentId ?? 0);
    if (!told) return;
    const object = { kind: 'agent', id: told.id, status: told.status };
    await emit(db, [{ agentId: told.id, type: 'agent.guessed_at', object, data: {} }]);
  });
}

const note = (db: Database, agentId: number) =>
  rows(
    db,
    { id: column.id, status: column.text },
    `with told as (
       insert into guess_notice (agent_id, told_at)
       select id, now() from agent where id = $1
       on conflict (agent_id) do update set told_at = excluded.told_at
         where guess_notice.told_at < now() - interval '1 hour'
       returning agent_id)
     select a.id, a.status from told join agent a on a.id = told.agent_id`,
    [agentId],
  );
