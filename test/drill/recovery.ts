import { availableParallelism, loadavg } from 'node:os';

import { catalog } from '../../shared/composition/catalog.ts';
import type { InjectedFault } from './faults.ts';
import type { Span } from './calls/history.ts';
import type { FaultKind } from './schedule.ts';
import { patience } from '../platform/pace.ts';

/** How long calls took that a kind of fault may have affected, in ms after the fault. */
export interface Recovery {
  readonly kind: FaultKind;
  readonly faults: number;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The longest wait of a call that asks outside systems: nobody else begins it meanwhile. */
  readonly outsideMs: number;
  /** Time for which killed servers were down, on average. */
  readonly downMs: number;
  /** From the end of a fault until a call that began after it was answered; the longest. */
  readonly againMs: number;
}

const AFTER_MS = 1_000;

/**
 * Time that clients measure, with all their repeats: how long the calls in flight at the
 * fault, or started within a second after it, waited from then on for their answer.
 */
export function recoveryOf(injected: readonly InjectedFault[], spans: readonly Span[]): Recovery[] {
  const kinds = [...new Set(injected.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const faults = injected.filter((fault) => fault.kind === kind);
    const waitsOf = (some: readonly Span[]) =>
      faults
        .flatMap(({ at }) =>
          some
            .filter(({ startedAt, endedAt }) => startedAt < at + AFTER_MS && endedAt > at)
            .map(({ startedAt, endedAt }) => endedAt - Math.max(at, startedAt)),
        )
        .sort((a, b) => a - b);
    const waits = waitsOf(spans.filter(({ operation }) => !asksOutside(operation)));
    const outsideMs = waitsOf(spans.filter(({ operation }) => asksOutside(operation))).at(-1) ?? 0;
    const at = (share: number) => waits[Math.ceil(share * waits.length) - 1] ?? 0;
    const [p50, p99, max] = [at(0.5), at(0.99), at(1)];
    const downMs = faults.reduce((sum, fault) => sum + (fault.downMs ?? 0), 0) / faults.length;
    const againMs = Math.max(...faults.map((fault) => answeredAgainMs(fault, spans)));
    const calls = waits.length;
    return { kind, faults: faults.length, calls, p50, p99, max, outsideMs, downMs, againMs };
  });
}

/** Itself, or by child jobs. */
const asksOutside = (operation: string): boolean =>
  ['connection', 'validate_emails', 'validate_email_file'].includes(operation) ||
  catalog.get(operation)?.gather !== undefined;

function answeredAgainMs({ at, endedAt = at }: InjectedFault, spans: readonly Span[]): number {
  const ends = spans.filter(({ startedAt }) => startedAt >= at).map((span) => span.endedAt);
  return Math.max(0, ends.reduce((a, b) => Math.min(a, b), Infinity) - endedAt);
}

/** Whether a call was answered that began after this fault. */
export const isAnsweredAgain = (fault: InjectedFault | undefined, spans: readonly Span[]) =>
  !fault || spans.some(({ startedAt }) => startedAt >= fault.at);

/**
 * In how many ms calls must be answered again after a fault has ended, although others have not:
 * the ten seconds of the worst fault, a host that vanishes (docs/failures.md), and what this
 * machine takes to start the processes, twice: one that needs a server which is starting waits.
 */
export const againMsMaxOf = (startMs: number): number => patience(10_000) + 2 * startMs;

export const slowRecoveries = (recoveries: readonly Recovery[], againMsMax: number): string[] =>
  recoveries
    .filter(({ againMs }) => againMs > againMsMax)
    .map(({ kind, againMs }) => `${kind}: no call was answered for ${againMs} ms after it ended`);

/** Whether goals can be met here: before a drill begins, which is a load itself. */
export const isQuiet = () => loadavg()[0]! <= availableParallelism();

/** Goals of GOALS_MS that faults which came alone have missed. */
export const missedGoals = (isolated: readonly Recovery[]): string[] =>
  isolated
    .filter(({ kind, p99 }) => p99 > (GOALS_MS[kind] ?? Infinity))
    .map(({ kind, p99 }) => `${kind}: p99 of the waits was ${p99} ms, above ${GOALS_MS[kind]} ms`);

/** p99 of the waits after a fault that comes alone, on a machine that does nothing else. */
export const GOALS_MS: Readonly<Partial<Record<FaultKind, number>>> = {
  'worker killed': 500,
  'Redis killed': 800,
  'PostgreSQL killed': 1_500,
};
