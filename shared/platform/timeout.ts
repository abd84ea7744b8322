/** No answer in time. The work may still happen. */
export class Timeout extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Rejects with `Timeout` when `work` takes longer. The work goes on, and its result is dropped. */
export function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeUp = setTimeout(() => reject(new Timeout(ms)), ms);
    work.then(
      (value) => {
        clearTimeout(timeUp);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timeUp);
        reject(error);
      },
    );
  });
}
