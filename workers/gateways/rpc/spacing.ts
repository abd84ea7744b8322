import { setTimeout as sleep } from 'node:timers/promises';

/** The rate of requests that a provider takes, which is learned from those it refuses (429). */
export interface Spacing {
  /** Time between two requests in ms. */
  readonly gapMs: number;
  /** Waits until a request may be sent. Throws if that is too long, naming the seconds. */
  turn(): Promise<Turn>;
}

/** A request that may be sent now. */
interface Turn {
  /** It was refused for its rate; `retryAfterMs`: the pause that the provider asks for. */
  refused(retryAfterMs?: number): void;
  answered(): void;
}

/** A job has other providers, and tries again by itself. */
const WAIT_MS_MAX = 5_000;
const PAUSE_MS = 1_000;
/** A quota of a day may ask for many hours; a provider that lies is asked again sooner. */
const PAUSE_MS_MAX = 3_600_000;
const GAP_MS = 50;
const GAP_MS_MAX = 2_000;
/** Answers after which the gap is shortened by a fifth. */
const STREAK = 50;
const NO_GAP_MS = 20;

export function openSpacing(name: string, now = () => performance.now()): Spacing {
  let gapMs = 0;
  let next = 0;
  let pausedUntil = 0;
  let slowedAt = -Infinity;
  let streak = 0;

  function take(): number {
    const at = Math.max(now(), next, pausedUntil);
    if (at - now() > WAIT_MS_MAX) {
      const seconds = Math.ceil((at - now()) / 1_000);
      throw new Error(`${name} takes no request for ${seconds} s: too many were sent`);
    }
    next = at + gapMs;
    return at;
  }

  return {
    get gapMs() {
      return gapMs;
    },
    async turn() {
      for (let at = take(); at > now(); at = Math.max(at, pausedUntil)) {
        await sleep(at - now());
        if (pausedUntil - now() > WAIT_MS_MAX) take();
      }
      const sentAt = now();
      return {
        refused(retryAfterMs = PAUSE_MS) {
          streak = 0;
          pausedUntil = Math.max(pausedUntil, now() + Math.min(retryAfterMs, PAUSE_MS_MAX));
          // Those that were in flight when it was slowed say nothing about the new rate.
          if (sentAt < slowedAt) return;
          slowedAt = now();
          gapMs = Math.min(GAP_MS_MAX, gapMs === 0 ? GAP_MS : gapMs * 2);
        },
        answered() {
          streak += 1;
          if (streak % STREAK > 0) return;
          gapMs = gapMs < NO_GAP_MS ? 0 : gapMs * 0.8;
        },
      };
    },
  };
}
