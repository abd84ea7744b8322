import type { Done } from './faults.ts';
import type { Span } from './history.ts';
import type { FaultKind } from './schedule.ts';

/** How long calls took that a kind of fault may have hurt, in ms after the fault. */
export interface Recovery {
  readonly kind: FaultKind;
  readonly faults: number;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Of servers that were killed: how long they were away, on average. */
  readonly downMs: number;
}

const AFTER_MS = 1_000;

/**
 * As clients feel it, with all their repeats: of the calls that were under way at the fault, or
 * were begun within a second of it, how long they had to wait from then on for their answer.
 */
export function recoveryOf(done: readonly Done[], spans: readonly Span[]): Recovery[] {
  const kinds = [...new Set(done.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const faults = done.filter((fault) => fault.kind === kind);
    const waits = faults
      .flatMap(({ at }) =>
        spans
          .filter(({ startedAt, endedAt }) => startedAt < at + AFTER_MS && endedAt > at)
          .map(({ startedAt, endedAt }) => endedAt - Math.max(at, startedAt)),
      )
      .sort((a, b) => a - b);
    const at = (share: number) => waits[Math.ceil(share * waits.length) - 1] ?? 0;
    const [p50, p99, max] = [at(0.5), at(0.99), at(1)];
    const downMs = faults.reduce((sum, fault) => sum + (fault.downMs ?? 0), 0) / faults.length;
    return { kind, faults: faults.length, calls: waits.length, p50, p99, max, downMs };
  });
}
