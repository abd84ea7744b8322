import type { EntityManager } from 'typeorm';

/**
 * A job may be done in parts, which are jobs that it started: it answers LATER and stays pending
 * until they have ended. How far they are is its `progress`, which each part counts up in its own
 * transaction; the last one wakes it. What they answered is read from their rows.
 */
export interface Parts {
  /** The job that started them, all of them with one enqueueAll. */
  readonly whole: string;
  /** The operation of all of them. */
  readonly operation: string;
  readonly count: number;
}

/** A part that breaks off without counting itself is noticed after this time. */
const LOOK_EVERY_MS = 15_000;

/** How many of them there are already, and how many are still to end. */
export async function standingOf(
  db: EntityManager,
  parts: Parts,
): Promise<{ started: number; pending: number }> {
  const [standing] = await db.query(
    `select count(*)::int as started, count(*) filter (where status = 'pending')::int as pending
       from job where cause = any ($1)`,
    [causesOf(parts)],
  );
  return standing;
}

/** What each of them answered, in the order in which they were started; undefined: it failed. */
export async function answersOfParts(
  db: EntityManager,
  parts: Parts,
): Promise<(object | undefined)[]> {
  const rows: { cause: string; answer: object }[] = await db.query(
    `select cause, answer from job where cause = any ($1) and status = 'complete'`,
    [causesOf(parts)],
  );
  const answers = new Map(rows.map(({ cause, answer }) => [cause, answer]));
  return causesOf(parts).map((cause) => answers.get(cause));
}

/** Leaves the whole pending while parts of it are: `total` is what their counts add up to. */
export async function awaitParts(db: EntityManager, whole: string, total: number): Promise<void> {
  await db.query(
    // Waiting is no attempt.
    `update job set attempts = 0, run_at = now() + $2 * interval '1 ms',
                    push_after = null,
                    progress = coalesce(progress, jsonb_build_object('done', 0, 'total', $3::int))
      where id = $1`,
    [whole, LOOK_EVERY_MS, total],
  );
}

/** Last of all in the transaction of a part: counts it, and wakes the whole if it was the last. */
export async function countPart(db: EntityManager, whole: string, count: number): Promise<void> {
  await db.query(
    `update job set progress = jsonb_set(progress, '{done}', to_jsonb(next.done)),
                    run_at = case when next.is_last then now() else run_at end,
                    push_after = case when not next.is_last then push_after end
       from (select id, (progress->>'done')::int + $2 as done,
                    (progress->>'done')::int + $2 >= (progress->>'total')::int as is_last
               from job where id = $1 and status = 'pending' for update) next
      where job.id = next.id`,
    [whole, count],
  );
}

const causesOf = ({ whole, operation, count }: Parts): string[] =>
  Array.from({ length: count }, (_, n) => `${whole}/${operation}/${n}`);
