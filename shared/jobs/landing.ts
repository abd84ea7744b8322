/** When none of an operation's flights came back for so long, its workers seem to be away. */
const SILENCE_MS_MAX = 250;
/** One whose answers were lost is waited for so long. */
export const LANDING_MS_MAX = 2_000;

/**
 * How long the flights of an operation count as in the air: until their answers are back. What came
 * meanwhile then goes together, which PostgreSQL does for a third of the price, and no more is
 * taken on than workers get done. When none comes back they land all the same: what is not recorded
 * is not safe.
 */
export function openLanding(): (back: Promise<unknown>) => Promise<void> {
  let heardAt = 0;

  return async (back) => {
    const upAt = performance.now();
    let isBack = false;
    void back.then((answer) => {
      isBack = true;
      if (answer) heardAt = performance.now();
    });
    while (!isBack) {
      const until = Math.min(Math.max(upAt, heardAt) + SILENCE_MS_MAX, upAt + LANDING_MS_MAX);
      const ms = until - performance.now();
      if (ms <= 0) return;
      await firstOf(back, ms);
    }
  };
}

const firstOf = (back: Promise<unknown>, ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    void back.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
