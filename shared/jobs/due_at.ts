/**
 * SQL: the run_at of a job that is due after this interval. Never below the watermark of the
 * delayed jobs, which is ahead of the clock when another server, whose clock is behind, has become
 * the primary: the dispatcher looks at nothing below it. The job is late then, and not lost.
 */
export const dueAt = (interval: string): string =>
  `greatest(now() + ${interval}, (select at from dispatch_watermark where scan = 'delayed'))`;

/** SQL: the run_at of a job that is due at once. */
export const DUE_NOW = dueAt(`interval '0'`);
