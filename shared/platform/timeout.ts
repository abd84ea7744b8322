/** Nothing came back in time. What was asked for may happen all the same. */
export class Timeout extends Error {
  constructor(ms: number) {
    super(`nothing came back within ${ms} ms`);
  }
}

/** Rejects with `Timeout` when it takes longer. The work goes on, and nobody hears of it. */
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
