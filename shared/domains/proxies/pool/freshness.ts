/** Percentiles of the age of the last check of proxies on sale, in seconds. */
export interface Freshness {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Maximum age of proxies on sale: FRESH_HOURS of checks/states.ts. */
const SECONDS_MAX = 7_200;

/** Counts proxies by their age in seconds: constant cost for each, and no sorting. */
export class AgeCounts {
  readonly #counts = new Int32Array(SECONDS_MAX + 1);
  #total = 0;

  /** Adds ages, in the format of PostgreSQL's int4send. */
  add(ages: Buffer): void {
    for (let at = 0; at < ages.length; at += 4) {
      const second = Math.min(SECONDS_MAX, Math.max(0, ages.readInt32BE(at)));
      this.#counts[second]! += 1;
    }
    this.#total += ages.length / 4;
  }

  /** Returns the percentiles; null: there are no proxies. */
  freshness(): Freshness | null {
    if (this.#total === 0) return null;
    return { p50: this.#percentile(0.5), p90: this.#percentile(0.9), p99: this.#percentile(0.99) };
  }

  #percentile(share: number): number {
    const wanted = Math.ceil(this.#total * share);
    let found = 0;
    let second = -1;
    while (found < wanted) {
      second += 1;
      found += this.#counts[second]!;
    }
    return second;
  }
}
