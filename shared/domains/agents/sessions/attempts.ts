import { Refusal } from '../../../kernel/refusal.ts';
import { column, execute, row, rows, type Database } from '../../../platform/rows.ts';

/** The subject of a limit on attempts to sign in, and the failures it may have in 15 minutes. */
export interface Limit {
  readonly subject: string;
  readonly max: number;
}

/** A counted attempt. */
interface Attempt {
  /** Ids for `forgetAttempts`, if the attempt succeeds. */
  readonly ids: readonly number[];
  /** Attempts of the first subject within 15 minutes. */
  readonly count: number;
}

/**
 * Counts an attempt under each of these limits before it is checked, or refuses it with
 * `rate_limited`. Exact over all processes: others of the subject wait until COMMIT.
 */
export async function countAttempt(db: Database, limits: readonly Limit[]): Promise<Attempt> {
  const ids: number[] = [];
  let ofFirst = 0;
  // The locks are always taken in one order, or two attempts could deadlock.
  for (const { subject, max } of limits.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))) {
    await execute(db, `select pg_advisory_xact_lock(hashtextextended('sign in ' || $1, 0))`, [
      subject,
    ]);
    const { count } = await row(
      db,
      { count: column.int },
      `select count(*)::int as count from sign_in_attempt
        where subject = $1 and created_at > now() - interval '15 minutes'`,
      [subject],
    );
    if (count >= max) throw tooMany();
    const [made] = await rows(
      db,
      { id: column.id },
      'insert into sign_in_attempt (subject) values ($1) returning id',
      [subject],
    );
    ids.push(made!.id);
    if (subject === limits[0]!.subject) ofFirst = count + 1;
  }
  await execute(db, FORGET);
  return { ids, count: ofFirst };
}

/** Deletes an attempt that succeeded: it was no guess. */
export const forgetAttempts = (db: Database, { ids }: Attempt): Promise<number> =>
  execute(db, 'delete from sign_in_attempt where id = any ($1)', [ids]);

const tooMany = () =>
  new Refusal(
    'rate_limited',
    'Too many failed attempts. New browsers have to wait up to 15 minutes; browsers that were ' +
      'signed in before have attempts of their own.',
    { limited_by: 'sign_in', retry_after_seconds: 900 },
  );

const FORGET = `
  delete from sign_in_attempt where id in (
    select id from sign_in_attempt where created_at < now() - interval '15 minutes'
     order by created_at limit 10 for update skip locked)`;
