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

/** A webhook of which nothing arrives is tried at least so often, by one new event at a time. */
const ROUND_PAUSE_MS_MAX = 5 * MINUTE;
/** Up to a tenth longer, so that what failed together does not come together again. */
const JITTER = 0.1;

const jittered = (ms: number, random: () => number) => Math.round(ms * (1 + JITTER * random()));

/** Until the next attempt of an event, after so many; undefined: there is none. */
export function pauseAfter(attempts: number, random = Math.random): number | undefined {
  const ms = PAUSES_MS[attempts - 1];
  return ms === undefined ? undefined : jittered(ms, random);
}

/** Until the next round of a webhook, after so many of which nothing arrived. */
export const pauseAfterRounds = (failed: number, random = Math.random): number =>
  jittered(Math.min(PAUSES_MS[failed - 1] ?? Infinity, ROUND_PAUSE_MS_MAX), random);
