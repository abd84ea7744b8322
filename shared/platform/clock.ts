import type { DataSource } from 'typeorm';

/** Beyond this a machine's clock is broken, not merely late, and the process is not ready. */
export const SKEW_MS_MAX = 60_000;

/**
 * The database's time, kept without asking it each time: expiry, days and job ids must agree
 * between machines whose own clocks do not.
 */
export interface Clock {
  now(): Date;
  /** How far this machine's clock is behind the database's, in ms. */
  skewMs(): number;
  /** Asks the database again. Every process does so at start and now and then. */
  adjust(database: DataSource): Promise<void>;
}

export function openClock(): Clock {
  let skewMs = 0;
  return {
    now: () => new Date(Date.now() + skewMs),
    skewMs: () => skewMs,
    async adjust(database) {
      const asked = Date.now();
      const [{ ms }] = await database.query(
        `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
      );
      const answered = Date.now();
      // A slow answer says little, and a clock that is right must not be moved about by jitter.
      const measured = ms - (asked + answered) / 2;
      if (Math.abs(measured - skewMs) > Math.max(20, answered - asked))
        skewMs = Math.round(measured);
    },
  };
}
