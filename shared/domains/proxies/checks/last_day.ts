/**
 * The checks of a proxy in the last 24 hours, by hour: the number of checks, those passed, the
 * minutes known and the minutes up. Between two checks the result of the first counts. 96 bytes,
 * because there may be a million proxies.
 */
export interface LastDay {
  /** Four bytes an hour; the hour h, counted from 1970, is at h modulo 24. */
  readonly hours: Buffer;
  /** The last hour included, counted from 1970. */
  readonly hour: number;
}

/** The quality of the last day, each value from 0 to 1. */
interface Quality {
  /** The share of its checks that passed. */
  readonly successRate: number;
  /** The share of the time since its first check; undefined: this was the first. */
  readonly uptime: number | undefined;
}

const HOURS = 24;
const BYTES = 4;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const COUNT_MAX = 255;

/** Offsets in the bytes of an hour. */
const CHECKS = 0;
const PASSED = 1;
const KNOWN = 2;
const UP = 3;

/** Adds a check. `since` is the check before, and whether it passed. */
export function withCheck(
  before: LastDay | undefined,
  { at, passed, since }: { at: Date; passed: boolean; since?: { at: Date; passed: boolean } },
): LastDay {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const hour = Math.floor(minute / HOUR_MINUTES);
  const hours = Buffer.alloc(HOURS * BYTES);
  // A clock that was set back must not count an hour twice.
  const last = Math.max(hour, before?.hour ?? hour);
  if (before) {
    for (let h = last - HOURS + 1; h <= before.hour; h += 1) {
      before.hours.copy(hours, placeOf(h), placeOf(h), placeOf(h) + BYTES);
    }
  }
  add(hours, last, CHECKS, 1);
  if (passed) add(hours, last, PASSED, 1);
  if (since) {
    const from = Math.floor(since.at.getTime() / MINUTE_MS);
    const first = Math.max(from, (last - HOURS + 1) * HOUR_MINUTES);
    for (let now = first; now < minute;) {
      const h = Math.floor(now / HOUR_MINUTES);
      const end = Math.min(minute, (h + 1) * HOUR_MINUTES);
      add(hours, h, KNOWN, end - now);
      if (since.passed) add(hours, h, UP, end - now);
      now = end;
    }
  }
  return { hours, hour: last };
}

export function qualityOf({ hours }: LastDay): Quality {
  const [checks, passed, known, up] = [CHECKS, PASSED, KNOWN, UP].map((field) => sum(hours, field));
  return { successRate: passed! / checks!, uptime: known ? up! / known : undefined };
}

const placeOf = (hour: number): number => (hour % HOURS) * BYTES;

function add(hours: Buffer, hour: number, field: number, more: number): void {
  const at = placeOf(hour) + field;
  hours[at] = Math.min(COUNT_MAX, hours[at]! + more);
}

function sum(hours: Buffer, field: number): number {
  let total = 0;
  for (let at = field; at < hours.length; at += BYTES) total += hours[at]!;
  return total;
}
