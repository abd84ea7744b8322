import { throttled, type Log } from './log.ts';
import { column, row, type Database } from './rows.ts';

/** Skew beyond which a machine's clock is broken, and the process is not ready. */
export const SKEW_MS_MAX = 60_000;

/**
 * The database's time, without a query each time: expiry, days and job ids must agree between
 * machines whose own clocks differ.
 */
export interface Clock {
  now(): Date;
  /** Delay of this machine's clock behind the database's, in ms. */
  skewMs(): number;
  /** Compares with the database. Every process does so at start and every few seconds. */
  adjust(database: Database): Promise<void>;
}

export function openClock(): Clock {
  let skewMs = 0;
  return {
    now: () => new Date(Date.now() + skewMs),
    skewMs: () => skewMs,
    async adjust(database) {
      const askedAt = Date.now();
      const { ms } = await row(
        database,
        { ms: column.float },
        `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
      );
      const answeredAt = Date.now();
      // A slow answer is inexact, and jitter must not change a right clock.
      const measured = ms - (askedAt + answeredAt) / 2;
      if (Math.abs(measured - skewMs) > Math.max(20, answeredAt - askedAt))
        skewMs = Math.round(measured);
    },
  };
}

const ADJUST_EVERY_MS = 10_000;

/** Compares a clock with the database regularly. Returns the function that ends it. */
export function keepAdjusted(clock: Clock, database: Database, log: Log): () => void {
  const warn = throttled(log);
  const timer = setInterval(() => {
    const onFault = (error: unknown) => warn('the clock could not be compared', error);
    clock.adjust(database).catch(onFault);
  }, ADJUST_EVERY_MS);
  return () => clearInterval(timer);
}
