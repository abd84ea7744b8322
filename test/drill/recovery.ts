import type { InjectedFault } from './faults.ts';
import type { Span } from './clients/history.ts';
import type { FaultKind } from './schedule.ts';

/** How long calls took that a kind of fault may have affected, in ms after the fault. */
export interface Recovery {
  readonly kind: FaultKind;
  readonly faults: number;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Of killed servers: how long they were down, on average. */
  readonly downMs: number;
}

const AFTER_MS = 1_000;

/**
 * As clients measure it, with all their repeats: how long the calls that were in flight at the
 * fault, or started within a second after it, waited from then on for their answer.
 */
export function recoveryOf(injected: readonly InjectedFault[], spans: readonly Span[]): Recovery[] {
  const kinds = [...new Set(injected.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const faults = injected.filter((fault) => fault.kind === kind);
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
