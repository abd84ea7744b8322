/**
 * SQL: the run_at of a job that is due after this interval. It is never below the watermark of the
 * delayed jobs, because the dispatcher reads nothing below it. The watermark is ahead of the clock
 * when a server whose clock is behind has become the primary; the job is then late, but not lost.
 */
export const dueAt = (interval: string): string =>
  `greatest(now() + ${interval}, (select at from dispatch_watermark where scan = 'delayed'))`;

/** SQL: the run_at of a job that is due at once. */
export const DUE_NOW = dueAt(`interval '0'`);
