const EVERY_MS = 1_000;

/** The progress of a call: seconds waited, and the maximum wait. */
export interface Progress {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

/** Reports every second while a job is waited for. Returns a function that stops it. */
export function reportProgress(
  waitMs: number,
  report: (progress: Progress) => unknown,
): () => void {
  const startedAt = performance.now();
  const total = waitMs / 1_000;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    report({
      progress: Math.min(seconds, total),
      total,
      message: 'Accepted, and not finished yet.',
    });
  }, EVERY_MS);
  return () => clearInterval(timer);
}
