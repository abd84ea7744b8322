const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses between the attempts of one event. After the last it is given up. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const;
export const ATTEMPTS_MAX = PAUSES_MS.length + 1;

/** Maximum pause before a failing webhook is tried again, with one new event at a time. */
const ROUND_PAUSE_MS_MAX = 5 * MINUTE;
/** Share by which pauses are lengthened at random, so that failures do not retry together. */
const JITTER = 0.1;

const withJitter = (ms: number) => Math.round(ms * (1 + JITTER * Math.random()));

/** Pause before the next attempt of an event; undefined: it is given up. */
export function pauseAfter(attempts: number): number | undefined {
  const ms = PAUSES_MS[attempts - 1];
  return ms === undefined ? undefined : withJitter(ms);
}

/** Pause before the next round of a webhook after a number of failed rounds. */
export const pauseAfterRounds = (failed: number): number =>
  withJitter(Math.min(PAUSES_MS[failed - 1] ?? Infinity, ROUND_PAUSE_MS_MAX));
