import type { DataSource, EntityManager } from 'typeorm';

import { transact } from '../database.ts';
import { column, execute, row } from '../rows.ts';

/** Session name of long reads, for which the dispatcher does not wait. */
export const LONG_READER = 'market-reader';

/**
 * Reads in one snapshot, without a time limit. PostgreSQL keeps all row versions of the snapshot,
 * so it must not take hours: such reads belong on a standby.
 */
export const readSnapshot = <T>(
  database: DataSource,
  work: (db: EntityManager) => Promise<T>,
  attemptsMax?: number,
) =>
  transact(database, (db) => asLongReader(db, work), {
    readOnly: true,
    ...(attemptsMax && { attemptsMax }),
  });

interface Together<T> {
  readonly sessions: number;
  /** Attempts in all. Absent: as many as of any transaction. */
  readonly attemptsMax?: number | undefined;
  /** Reads in the first session, before the others begin. */
  readonly begin: (db: EntityManager) => Promise<T>;
  /** Reads in each session, all at the same time. */
  readonly work: (db: EntityManager, begun: T) => Promise<void>;
}

/**
 * Reads as `readSnapshot` does, by several sessions that see the same snapshot. What the first one
 * is repeated for, as a lost connection, is repeated for all.
 */
export function readTogether<T>(
  database: DataSource,
  { sessions, attemptsMax, begin, work }: Together<T>,
): Promise<T> {
  const readFirst = async (first: EntityManager) => {
    const begun = await begin(first);
    const exported = 'select pg_export_snapshot() as snapshot';
    const { snapshot } = await row(first, { snapshot: column.text }, exported);
    const other = async (db: EntityManager) => {
      // The statement takes no parameters, and comes before all others of its transaction.
      await execute(db, `set transaction snapshot '${snapshot}'`);
      await asLongReader(db, () => work(db, begun));
    };
    const others = Array.from({ length: sessions - 1 }, () =>
      transact(database, other, { readOnly: true, attemptsMax: 1 }),
    );
    // The snapshot ends with the first session, so that waits for the others.
    for (const one of await Promise.allSettled([work(first, begun), ...others])) {
      if (one.status === 'rejected') throw one.reason;
    }
    return begun;
  };
  return readSnapshot(database, readFirst, attemptsMax);
}

async function asLongReader<T>(
  db: EntityManager,
  work: (db: EntityManager) => Promise<T>,
): Promise<T> {
  await execute(
    db,
    // The role has no parallel workers, which are worth starting for a long read alone.
    `select set_config('application_name', $1, true), set_config('statement_timeout', '0', true),
            set_config('max_parallel_workers_per_gather', '2', true)`,
    [LONG_READER],
  );
  return work(db);
}
