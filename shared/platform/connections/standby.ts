import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

import { STATEMENT_MS_MAX } from '../database.ts';
import type { Log } from '../log.ts';
import { column, execute, nullable, row, type Database, type Row } from '../rows.ts';
import { closeSilentConnections } from './half_open.ts';

/** How often the lag is measured. */
const LOOK_EVERY_MS = 1_000;
/** How often it is looked whether the standby has caught up. */
const LOOK_AGAIN_MS = 100;

/**
 * A standby of the database, for reads that may be some seconds old. Nobody waits for it: while it
 * lags too far, or cannot be reached, all reads go to the primary.
 */
export interface Standby {
  /** Its connections; undefined: it may not be read at the moment. */
  current(): DataSource | undefined;
  /** Age in ms of what it is known to have; undefined: nothing is known of it. */
  lagMs(): number | undefined;
  /** Measures the lag, as it is done each second. */
  look(): Promise<void>;
  close(): Promise<void>;
}

interface StandbyOptions {
  readonly primary: DataSource;
  /** Not initialized yet: a standby that is down keeps no process from starting. */
  readonly standby: DataSource;
  readonly lagMsMax: number;
  readonly log: Log;
  readonly elapsedMs?: () => number;
}

/**
 * Measures by positions of the write-ahead log: what the primary had written at a time, and what
 * the standby has replayed. The time of the last replayed transaction, which PostgreSQL knows, says
 * nothing where nobody writes, nor where the standby has lost its primary.
 */
export function openStandby({
  primary,
  standby,
  lagMsMax,
  log,
  elapsedMs = () => performance.now(),
}: StandbyOptions): Standby {
  /** Positions of the primary that the standby has not replayed yet, oldest first. */
  let ahead: { readonly at: number; readonly position: number }[] = [];
  let knownAt: number | undefined;
  let wasCurrent: boolean | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  async function measure(): Promise<void> {
    const at = elapsedMs();
    const written = await writtenBy(primary);
    ahead.push({ at, position: written.position });
    if (!standby.isInitialized) {
      await standby.initialize();
      closeSilentConnections([standby], STATEMENT_MS_MAX + 500);
    }
    const replayed = await replayedBy(standby, written);
    if (replayed === undefined) {
      knownAt = undefined;
      return;
    }
    const known = ahead.findLast(({ position }) => position <= replayed);
    if (!known) return;
    knownAt = known.at;
    ahead = ahead.filter((one) => one.at > known.at);
  }

  const lagMs = () => (knownAt === undefined ? undefined : elapsedMs() - knownAt);
  const isCurrent = () => (lagMs() ?? Infinity) <= lagMsMax;

  async function look(): Promise<void> {
    try {
      await measure();
    } catch (error) {
      if (!isClosed) log.debug({ err: error }, 'the standby could not be measured');
    }
    ahead = ahead.slice(-Math.ceil(lagMsMax / LOOK_EVERY_MS) - 1); // Older ones are too old.
    if (isClosed || isCurrent() === wasCurrent) return;
    wasCurrent = isCurrent();
    if (wasCurrent) log.info({ lag_ms: lagMs() }, 'the standby answers reads that may be old');
    else {
      log.warn(
        { lag_ms: lagMs() ?? null, lag_ms_max: lagMsMax },
        'the standby lags, cannot be reached or is none: the primary answers its reads. Look at ' +
          'the replication, and at DATABASE_READ_URL',
      );
    }
  }

  const lookOnce = () => (looking ??= look().finally(() => (looking = undefined)));
  const timer = setInterval(() => void lookOnce(), LOOK_EVERY_MS);
  timer.unref();

  return {
    current: () => (isCurrent() ? standby : undefined),
    lagMs,
    look: lookOnce,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
      if (standby.isInitialized) await standby.destroy();
    },
  };
}

/**
 * Waits until the standby has all that is committed now, and returns this moment, by the primary's
 * clock. Fails if it has not within `msMax`.
 */
export async function caughtUp(
  { primary, standby }: Pick<StandbyOptions, 'primary' | 'standby'>,
  msMax: number,
): Promise<Date> {
  const until = performance.now() + msMax;
  const written = await writtenBy(primary);
  for (;;) {
    const position = await replayedBy(standby, written);
    if (position !== undefined && position >= written.position) return written.at;
    if (performance.now() > until) {
      throw new Error(
        position === undefined ? 'it does not follow the primary' : `it lags more than ${msMax} ms`,
      );
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * The history of a primary: its cluster, and its timeline, of which each promotion begins another.
 * Two standbys that are both promoted begin one of the same number. So each primary writes its own
 * branch into its database, once a timeline, and only a standby that has replayed that row has its
 * history.
 */
const WRITTEN = {
  at: column.time,
  position: column.id,
  system: column.text,
  timeline: column.int,
  branch: nullable(column.text),
};
type Written = Row<typeof WRITTEN>;

const WRITTEN_SQL = `
  select now() as at, pg_wal_lsn_diff(lsn, '0/0')::bigint as position, system, timeline, branch
    from (select lsn, system_identifier as system,
                 ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline
            from pg_control_system() cross join pg_current_wal_lsn() lsn) history
    left join database_timeline using (system, timeline)`;

/** The position that a primary has written, and its history. */
async function writtenBy(primary: Database): Promise<Written> {
  const written = await row(primary, WRITTEN, WRITTEN_SQL);
  if (written.branch !== null) return written;
  const sql = 'insert into database_timeline (system, timeline) values ($1, $2)';
  await execute(primary, `${sql} on conflict do nothing`, [written.system, written.timeline]);
  return row(primary, WRITTEN, WRITTEN_SQL);
}

/**
 * The position that a standby has replayed; undefined: it follows no primary, or not this one. A
 * standby that has gone on to a later timeline follows another. It tells its own as of its last
 * restart point, which is some minutes old.
 */
async function replayedBy(
  standby: Database,
  { system, timeline, branch }: Written,
): Promise<number | undefined> {
  const { position, follows } = await row(
    standby,
    { position: column.id, follows: column.boolean },
    `select pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0')::bigint as position,
            pg_is_in_recovery() and timeline_id <= $2
              and exists (select from database_timeline
                           where (system, timeline, branch) = ($1, $2, $3::uuid))
              and not exists (select from database_timeline
                               where system = $1 and timeline > $2) as follows
       from pg_control_checkpoint()`,
    [system, timeline, branch],
  );
  return follows ? position : undefined;
}
