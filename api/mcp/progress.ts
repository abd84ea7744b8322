const EVERY_MS = 1_000;

/** How far a call has come, in seconds of the time that its caller is willing to wait. */
export interface Progress {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

/** Tells every second that a job is waited for, until it is stopped. */
export function tellWaiting(waitMs: number, tell: (progress: Progress) => unknown): () => void {
  const startedAt = performance.now();
  const total = waitMs / 1_000;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    tell({ progress: Math.min(seconds, total), total, message: 'Accepted, and not finished yet.' });
  }, EVERY_MS);
  return () => clearInterval(timer);
}
