import { inspect } from 'node:util';

/** Share of the time of the running test that one wait may take. */
const SHARE_MAX = 0.5;
const POLL_MS = 20;
const SHOWN_CHARS_MAX = 1_000;

/** A test, or a program that tests start. */
interface Limited {
  /** Milliseconds; 0: no limit. */
  timeout(): number;
}

let running: Limited | undefined;

/** Told by the hooks around each test; undefined: none runs, as in a hook. */
export const noteRunning = (test: Limited | undefined): void => {
  running = test;
};

/**
 * Repeats `ask` until its answer satisfies `done`. In a test it fails when half of mocha's time
 * limit of the test has passed, and says what it saw last: mocha could not. In hooks, and while
 * `ask` waits, mocha's time limit ends it.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  done: (answer: T) => boolean,
): Promise<T> {
  const test = running;
  const startedAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (done(answer)) return answer;
    const ms = performance.now() - startedAt;
    // Read each time: a test says its limit when it runs. 0: it has none.
    const limitMs = (test?.timeout() ?? 0) * SHARE_MAX;
    if (limitMs > 0 && ms > limitMs) {
      throw new Error(`${LIMIT_PASSED} ${Math.round(ms)} ms; the last answer: ${shown(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** How the message of an error begins that says that a wait took too long. */
export const LIMIT_PASSED = 'Waited in vain for';

const shown = (answer: unknown): string =>
  inspect(answer, { depth: 4, breakLength: Infinity }).slice(0, SHOWN_CHARS_MAX);
