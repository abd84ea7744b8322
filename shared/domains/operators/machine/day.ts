import { SECONDS } from '../../../platform/metrics.ts';
import { column, rows, type Database, type Row } from '../../../platform/rows.ts';

/** Minutes of a bar of the charts, and the number of bars: a day. */
const BAR_MINUTES = 30;
export const BARS = 48;

const BAR = {
  at: column.time,
  calls: column.int,
  faults: column.int,
  call_times: column.ids,
  jobs: column.int,
  job_faults: column.int,
  waiting: column.int,
  wait_seconds: column.float,
};

const TIMES = [...SECONDS, Infinity].map((_, n) => `sum(call_times[${n + 1}])`).join(', ');

/** The last day in bars of half an hour, oldest first. A bar without a recorded minute is empty. */
export async function findDay(db: Database, now: Date) {
  const barMs = BAR_MINUTES * 60_000;
  const last = Math.floor(now.getTime() / barMs) * barMs;
  const found = await rows(
    db,
    BAR,
    `select date_bin('${BAR_MINUTES} minutes', at, $1) as at, sum(calls)::bigint as calls,
            sum(faults)::bigint as faults, array[${TIMES}]::bigint[] as call_times,
            sum(jobs)::bigint as jobs, sum(job_faults)::bigint as job_faults,
            max(waiting) as waiting, max(wait_seconds) as wait_seconds
       from machine_minute where at >= $1 group by 1`,
    [new Date(last - (BARS - 1) * barMs)],
  );
  const byTime = new Map(found.map((bar) => [bar.at.getTime(), bar]));
  return Array.from({ length: BARS }, (_, n) => {
    const time = last - (BARS - 1 - n) * barMs;
    const { call_times: times, ...bar } = byTime.get(time) ?? EMPTY;
    return {
      ...bar,
      at: new Date(time).toISOString(),
      p50_ms: percentileMs(times, 0.5),
      p99_ms: percentileMs(times, 0.99),
    };
  });
}

const EMPTY: Omit<Row<typeof BAR>, 'at'> = {
  calls: 0,
  faults: 0,
  call_times: [],
  jobs: 0,
  job_faults: 0,
  waiting: 0,
  wait_seconds: 0,
};

/**
 * The time in ms that this share of calls did not exceed, from how many took up to each bound of
 * SECONDS: within its bounds it is taken to be in proportion. Null: no call was measured.
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [n, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = SECONDS[n - 1] ?? 0;
      const to = SECONDS[n] ?? from;
      return Math.round((from + ((wanted - below) / count) * (to - from)) * 10_000) / 10;
    }
    below += count;
  }
  return null;
}
