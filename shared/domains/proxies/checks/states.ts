/**
 * The state of a proxy, by its last 16 checks, and when it is checked again:
 *
 *   hot          passed last, 90 % of its checks, within 2 s,     on sale   10 min
 *                and TLS does not fail
 *   warm         passed last, 60 % of its checks                  on sale   20 min
 *   degraded     passed last, but seldom; or worked and                      3 min
 *                failed once or twice since
 *   quarantined  failed 3 times in a row                                    30 min, doubling
 *                or never passed yet                                        10 min, then 30
 *   dead         failed 8 times in a row, or 3 times and                     never; deleted
 *                never passed                                               after a week
 *
 * A forged answer (in the judge's name, not signed by the judge) counts as three failures.
 */
export type State = 'hot' | 'warm' | 'degraded' | 'quarantined' | 'dead';

/** The results of the checks of a proxy so far. */
export interface ProxyHealth {
  readonly state: State;
  /** The last checks as bits, the newest lowest: 1 passed. */
  readonly recent: number;
  /** Number of bits in use. */
  readonly checks: number;
  /** Failures in a row. */
  readonly fails: number;
  readonly everPassed: boolean;
}

/** The result of one check. */
export type Verdict = Pass | Failure;
interface Pass {
  readonly passed: true;
  readonly latencyMs: number;
  /** Whether TLS passes; absent: not known. */
  readonly https?: boolean;
}
type Failure = { readonly passed: false; readonly forged: boolean };

const CHECKS_MAX = 16;
const HOT_RATE = 0.9;
const HOT_LATENCY_MS = 2_000;
const WARM_RATE = 0.6;
const FAILS_TO_QUARANTINE = 3;
const FAILS_TO_DEATH = { unproven: 3, proven: 8 };
const FAILS_OF_FORGED = 3;

const MINUTE_MS = 60_000;

/** Maximum age of the last pass of a proxy on sale, in case checks have stopped. */
const FRESH_HOURS = 2;

/** SQL: whether a proxy is on sale. */
export const ON_SALE = `state in ('hot', 'warm')
  and passed_at > now() - interval '${FRESH_HOURS} hours'`;

/** The health of a proxy after one more check. */
export function afterCheck(before: ProxyHealth, verdict: Verdict): ProxyHealth {
  const recent = ((before.recent << 1) | Number(verdict.passed)) & (2 ** CHECKS_MAX - 1);
  const checks = Math.min(before.checks + 1, CHECKS_MAX);
  const fails = verdict.passed ? 0 : before.fails + (verdict.forged ? FAILS_OF_FORGED : 1);
  const after = { recent, checks, fails, everPassed: before.everPassed || verdict.passed };
  const state = verdict.passed ? stateOfPassed(after, verdict) : stateOfFailed(after);
  return { ...after, state };
}

type Counts = Omit<ProxyHealth, 'state'>;

function stateOfPassed({ recent, checks }: Counts, { latencyMs, https }: Pass): State {
  const rate = bitsOf(recent) / checks;
  if (rate >= HOT_RATE && latencyMs <= HOT_LATENCY_MS && https !== false) return 'hot';
  return rate >= WARM_RATE ? 'warm' : 'degraded';
}

function stateOfFailed({ fails, everPassed }: Counts): State {
  if (fails >= FAILS_TO_DEATH[everPassed ? 'proven' : 'unproven']) return 'dead';
  return everPassed && fails < FAILS_TO_QUARANTINE ? 'degraded' : 'quarantined';
}

/** Time until the next check, in ms; undefined: there is none. */
export function checkDelayMs({ state, fails, everPassed }: ProxyHealth): number | undefined {
  switch (state) {
    case 'hot':
      return 10 * MINUTE_MS;
    case 'warm':
      return 20 * MINUTE_MS;
    case 'degraded':
      return 3 * MINUTE_MS;
    case 'quarantined':
      return everPassed
        ? 30 * MINUTE_MS * 2 ** (fails - FAILS_TO_QUARANTINE)
        : 10 * MINUTE_MS * 3 ** (fails - 1);
    case 'dead':
      return undefined;
  }
}

function bitsOf(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>= 1) count += left & 1;
  return count;
}
